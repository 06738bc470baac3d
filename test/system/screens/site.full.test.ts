// site.test.ts, in both widths, themes and languages.
import "./site.test.ts";
