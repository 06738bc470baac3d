// papers.test.ts, with papers in both languages, and mails in both widths, themes and languages.
import "./papers.test.ts";
