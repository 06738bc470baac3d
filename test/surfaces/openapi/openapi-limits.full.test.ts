import { testDescribedLimits } from "./described-limits.ts";

testDescribedLimits(true);
