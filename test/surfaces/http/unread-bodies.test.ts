import { testUnreadBodies } from "./unread-bodies.ts";

testUnreadBodies(10);
