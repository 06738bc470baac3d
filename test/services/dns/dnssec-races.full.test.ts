// The races of dnssec-races.test.ts, more often.
import "./dnssec-races.test.ts";
