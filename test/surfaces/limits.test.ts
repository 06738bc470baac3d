import { services } from "../../src/services/services.ts";
import { testLimits } from "../support/limits.ts";

testLimits(services as never);
