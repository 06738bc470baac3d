import { testDescribedLimits } from "./described-limits.ts";

testDescribedLimits(false);
