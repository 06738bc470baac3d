// The dashboard in each state: pictures beside the mockups, what axe finds, and the keyboard alone.
import { photographGroup } from "../../screens/group.ts";
import { openStates, STATES } from "./app-states.ts";

photographGroup({ name: "app", open: openStates, states: STATES });
