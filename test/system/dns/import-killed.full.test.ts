// The cut imports of import-killed.test.ts, of 50,000 records.
import "./import-killed.test.ts";
