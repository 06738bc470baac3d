// app.test.ts, in both widths, themes and languages.
import "./app.test.ts";
