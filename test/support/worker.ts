import { createLogger } from "../../src/log.ts";
import { masterKeysOf } from "../../src/master-key.ts";
import { type RunningWorker, startWorker } from "../../workers/main.ts";
import type { TestGateway } from "./gateway.ts";

/** The real worker in this process, on the database of a gateway. */
export function startTestWorker(selo: TestGateway): Promise<RunningWorker> {
  return startWorker({
    config: selo.config,
    databaseUrl: selo.database.workerUrl,
    masterKeys: masterKeysOf(selo.config),
    log: createLogger("warn"),
  });
}
