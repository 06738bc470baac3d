import { testPostgresKilled } from "./postgres-killed.ts";

testPostgresKilled(10, 16);
