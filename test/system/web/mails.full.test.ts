// The mails of mails.test.ts, in both languages and judged in every look.
import "./mails.test.ts";
