/** A proof that was tampered with never passes: each way many times, each time at another place. */
import { tamperingTests } from "./tampering-stage.ts";

tamperingTests({ flips: 150, members: 300, json: 1_000 });
