// sign.test.ts, in both widths, themes and languages.
import "./sign.test.ts";
