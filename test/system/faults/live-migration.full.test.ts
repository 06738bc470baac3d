import { testLiveMigration } from "./live-migration.ts";

testLiveMigration(12);
