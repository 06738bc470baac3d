// Pages that are rendered at the build, and tools for developers: how they look, and whether everyone can use them.
import { photographGroup } from "./group.ts";
import { SITE_STATES } from "./site-states.ts";
import { openSiteStage } from "./stage.ts";

photographGroup({ name: "site", open: openSiteStage, states: SITE_STATES });
