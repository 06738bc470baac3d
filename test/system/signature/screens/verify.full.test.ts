// verify.test.ts, in both widths, themes and languages.
import "./verify.test.ts";
