// Malformed input, everywhere the same: every route of the table with every kind of bad input.
import { testMalformedBodies } from "./malformed-bodies.ts";
import { testMalformedRequests } from "./malformed-requests.ts";
import { everything, malformedStage } from "./malformed-stage.ts";

const stage = malformedStage();

testMalformedRequests(stage, everything);
testMalformedBodies(stage, everything);
