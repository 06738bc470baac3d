// With three times as many rows as in the file beside.
import { testUncountedPlans } from "./uncounted-plans.ts";

testUncountedPlans(300);
