// The reader of reader.test.ts, with each turn of a page, cropped and whole.
import "./reader.test.ts";
