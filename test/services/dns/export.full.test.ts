// The exports of export.test.ts, with more random zones.
import "./export.test.ts";
