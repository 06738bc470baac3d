// The first starts of embedded.test.ts, killed at more moments.
import "./embedded.test.ts";
