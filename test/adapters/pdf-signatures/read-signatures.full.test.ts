// Every byte: see read-signatures.test.ts.
import "./read-signatures.test.ts";
