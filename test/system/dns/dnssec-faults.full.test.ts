// The faults of dnssec-faults.test.ts, with more enables and disables.
import "./dnssec-faults.test.ts";
