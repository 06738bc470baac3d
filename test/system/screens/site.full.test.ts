// The pages of site.test.ts in both widths, themes and languages.
import { photographGroup } from "./group.ts";
import { everyLook } from "./looks.ts";
import { SITE_STATES, TOOL_STATES } from "./states.ts";

const states = { ...SITE_STATES, ...TOOL_STATES };
photographGroup("site", states, everyLook(states));
