// More zones, and three kills.
import "./delegation-faults.test.ts";
