// The life of dnssec-life.test.ts, asked more often.
import "./dnssec-life.test.ts";
