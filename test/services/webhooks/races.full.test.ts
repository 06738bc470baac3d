// The races of races.test.ts, with more rounds.
import "./races.test.ts";
