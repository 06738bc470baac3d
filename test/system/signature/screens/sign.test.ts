// The signing page in each state, once: pictures beside the mockups, and what axe finds. In every look: sign.full.test.ts.
import { looksInTurn } from "../../screens/looks.ts";
import { photographSigning, SIGN_STATES } from "./sign-group.ts";

photographSigning(looksInTurn(SIGN_STATES));
