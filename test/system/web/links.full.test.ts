// The links of links.test.ts, each page in both languages.
import "./links.test.ts";
