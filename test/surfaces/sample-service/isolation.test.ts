// What one organization or environment has, no other is shown, over REST and GraphQL.
import { describe } from "vitest";
import { services } from "../../../src/services/services.ts";
import { testGraphqlIsolation } from "../../support/isolation/graphql.ts";
import { testRestIsolation } from "../../support/isolation/rest.ts";
import { productIsolations } from "../../support/service-facts.ts";
import { isolation } from "./isolation.ts";
import { notes } from "./service.ts";

const others = { services, isolations: await productIsolations() };

describe("REST", () => testRestIsolation([notes], [isolation], others));
describe("GraphQL", () => testGraphqlIsolation([notes], [isolation], others));
