import type pg from "pg";
import type { MasterKeyring } from "../../src/adapters/crypto/master-keyring.ts";
import { createLogger } from "../../src/main/log.ts";
import { masterKeysOf } from "../../src/main/master-key.ts";
import { Jobs } from "../../src/postgres/jobs.ts";
import { type RunningWorker, startWorker } from "../../workers/main.ts";
import type { TaskContext } from "../../workers/task.ts";
import type { TestGateway } from "./gateway.ts";

/** The real worker in this process, on the database of a gateway. */
export function startTestWorker(selo: TestGateway, log = createLogger("warn")): Promise<RunningWorker> {
  return startWorker({
    services: selo.services,
    config: selo.config,
    databaseUrl: selo.database.workerUrl,
    masterKeys: masterKeysOf(selo.config),
    log,
  });
}

/** What a task alone works with; none of those that verify the audit trail. */
export function taskContext(pool: pg.Pool, masterKeys: MasterKeyring, log = createLogger("silent")): TaskContext {
  const openAudit = () => Promise.reject(new Error("this task verifies nothing"));
  return {
    jobs: new Jobs(pool),
    openAudit,
    masterKeys,
    log,
    isLastAttempt: false,
    stopping: new AbortController().signal,
  };
}
