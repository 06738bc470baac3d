// A longer outage, and more clients while Postgres hangs.
import "./postgres-away.test.ts";
