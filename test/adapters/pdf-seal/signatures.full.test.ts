// Every kind of PDF: see signatures.test.ts.
import "./signatures.test.ts";
