// Pages that are rendered at the build, and tools for developers, once: how they look, and whether everyone can use them. In every look:
// site.full.test.ts.

import { SITE_STATES, TOOL_STATES } from "../signature/screens/verify-states.ts";
import { photographGroup } from "./group.ts";
import { looksInTurn } from "./looks.ts";

const states = { ...SITE_STATES, ...TOOL_STATES };
photographGroup("site", states, looksInTurn(states));
