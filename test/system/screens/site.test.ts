// Pages that are rendered at the build, and tools for developers: how they look, and whether everyone can use them.
import { photographGroup } from "./group.ts";
import { SITE_STATES, TOOL_STATES } from "./states.ts";

photographGroup("site", { ...SITE_STATES, ...TOOL_STATES });
