// The signing page in each state, in both widths, themes and languages. In one look: sign.test.ts.
import { everyLook } from "../../screens/looks.ts";
import { photographSigning, SIGN_STATES } from "./sign-group.ts";

photographSigning(everyLook(SIGN_STATES));
