import { services } from "../../../src/services/services.ts";
import { testLimits } from "../../support/limits.ts";
import { notes } from "./service.ts";

testLimits([notes] as never, services as never);
