import { services } from "../../../src/services/services.ts";
import { testLimits } from "../../support/limits.ts";
import { commands } from "./generated.ts";
import { notes } from "./service.ts";

testLimits([notes] as never, commands, { others: services as never });
