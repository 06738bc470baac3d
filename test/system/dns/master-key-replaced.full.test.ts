// The replacement of master-key-replaced.test.ts, asked more often.
import "./master-key-replaced.test.ts";
