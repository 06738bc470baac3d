// The hostile files of unreadable.test.ts, larger.
import "./unreadable.test.ts";
