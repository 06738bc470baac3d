import { testProductLimits } from "./product-limits.ts";

testProductLimits(true);
