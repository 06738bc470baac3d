// The contents of host-contents.test.ts, all of them sent to the API.
import "./host-contents.test.ts";
