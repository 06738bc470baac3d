/** A worker that does nothing but transmit invoices, as light as one that is killed a moment later should be. */

import { readConfig } from "../../src/main/config.ts";
import { createLogger } from "../../src/main/log.ts";
import { masterKeysOf } from "../../src/main/master-key.ts";
import { Jobs } from "../../src/postgres/jobs.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { transmitInvoices } from "../../workers/invoicing/transmit.ts";

const config = readConfig(process.env);
const connection = {
  url: config.databaseWorkerUrl ?? "",
  role: "selo_worker" as const,
  applicationName: "selo worker",
  statementTimeoutMs: 60_000,
};
const pool = createPool(connection, config.workerConcurrency + 4, () => {});
const jobs = new Jobs(pool);
await pool.query("select");
process.on("disconnect", () => process.exit(0));
process.once("message", () => {
  process.send?.("claims");
  transmitInvoices({ config, connection, jobs, log: createLogger("error"), masterKeys: masterKeysOf(config) }).catch(
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.("ready");
