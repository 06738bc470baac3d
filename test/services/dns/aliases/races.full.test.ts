// The races of races.test.ts, more often.
import "./races.test.ts";
