// The verify page in each state, in both widths, themes and languages. In one look: verify.test.ts.
import { everyLook } from "../../screens/looks.ts";
import { photographVerifying } from "./verify-group.ts";
import { VERIFY_STATES } from "./verify-states.ts";

photographVerifying(everyLook(VERIFY_STATES));
