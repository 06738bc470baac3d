// Three steps; more: live-migration.full.test.ts.
import { testLiveMigration } from "./live-migration.ts";

testLiveMigration(3);
