// The isolation matrix of REST, of all services: surfaces that take keys, whose paths hold the number of an organization.
import { services } from "../../../src/services/services.ts";
import { testKeyIsolation } from "../../support/isolation/keys.ts";
import { productIsolations } from "../../support/service-facts.ts";

testKeyIsolation(services, await productIsolations());
