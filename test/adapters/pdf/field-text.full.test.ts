// The texts of field-text.test.ts, with more of them in one pass.
import "./field-text.test.ts";
