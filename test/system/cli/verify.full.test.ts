// The hostile files of verify.test.ts, with more bombs in one.
import "./verify.test.ts";
