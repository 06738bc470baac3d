// The isolation matrix of REST, of all services: surfaces that take keys, whose paths hold the number of an organization.
import { services } from "../../../src/services/services.ts";
import { productIsolations } from "../../support/isolation/isolation.ts";
import { testKeyIsolation } from "../../support/isolation/keys.ts";

testKeyIsolation(services, await productIsolations());
