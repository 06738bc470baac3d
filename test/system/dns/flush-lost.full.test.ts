// The lost flushes of flush-lost.test.ts, more often.
import "./flush-lost.test.ts";
