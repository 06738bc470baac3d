// Every damage of backup-objects.test.ts.
import "./backup-objects.test.ts";
