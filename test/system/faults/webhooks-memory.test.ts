// Twelve hostile receivers for a moment; for a minute: webhooks-memory.full.test.ts.
import { testHostileReceivers } from "./hostile-stage.ts";

/** An attempt at a receiver that hangs lasts 15 seconds: whoever is served sooner has not waited for one. */
testHostileReceivers(["https"], 10, 15_000);
