import { testUncountedPlans } from "./uncounted-plans.ts";

testUncountedPlans(100);
