// The pages of site.test.ts in both widths, themes and languages.

import { SITE_STATES, TOOL_STATES } from "../signature/screens/verify-states.ts";
import { photographGroup } from "./group.ts";
import { everyLook } from "./looks.ts";

const states = { ...SITE_STATES, ...TOOL_STATES };
photographGroup("site", states, everyLook(states));
