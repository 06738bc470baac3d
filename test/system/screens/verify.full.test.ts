// The verify page in each state, in both widths, themes and languages. In one look: verify.test.ts.
import { everyLook } from "./looks.ts";
import { VERIFY_STATES } from "./states.ts";
import { photographVerifying } from "./verify-group.ts";

photographVerifying(everyLook(VERIFY_STATES));
