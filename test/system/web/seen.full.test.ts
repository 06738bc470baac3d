// seen.test.ts, with every kind of PDF that tests know.
import "./seen.test.ts";
