/** A proof that was tampered with never passes: each way some times, each time at another place. */
import { tamperingTests } from "./tampering-stage.ts";

tamperingTests({ flips: 15, members: 30, json: 100 });
