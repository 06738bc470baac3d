// `selo start` outlives its Postgres: see postgres-killed.ts. Ten times under heavier load: postgres-killed.full.test.ts.
import { testPostgresKilled } from "./postgres-killed.ts";

testPostgresKilled(1, 2);
