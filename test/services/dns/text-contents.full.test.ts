// The contents of text-contents.test.ts, all of them sent to the API.
import "./text-contents.test.ts";
