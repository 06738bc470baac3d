// The texts of texts.test.ts, each in each place.
import "./texts.test.ts";
