// More rotations than in rotate-platform-keys.test.ts.
import "./rotate-platform-keys.test.ts";
