// Every hostile text of report.test.ts.
import "./report.test.ts";
