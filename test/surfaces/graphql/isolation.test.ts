// The isolation matrix of GraphQL, of all services.
import { services } from "../../../src/services/services.ts";
import { testGraphqlIsolation } from "../../support/isolation/graphql.ts";
import { productIsolations } from "../../support/service-facts.ts";

testGraphqlIsolation(services, await productIsolations());
