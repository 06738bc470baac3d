// The hostile files of verify.test.ts, larger, and with more bombs in one.
import "./verify.test.ts";
