// The flushes of nameserver-flush.test.ts, after more changes.
import "./nameserver-flush.test.ts";
