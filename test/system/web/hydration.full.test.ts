// The pages of hydration.test.ts, each for every visitor.
import "./hydration.test.ts";
