// The changes of served-changes.test.ts, more of them.
import "./served-changes.test.ts";
