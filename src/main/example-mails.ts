import { composeTestMail } from "../../workers/platform/compose-mail.ts";
import { mailKindsOf } from "../../workers/platform/send-mail.ts";
import type { Config } from "../config/config.ts";
import type { Databases } from "../postgres/databases.ts";
import { Jobs } from "../postgres/jobs.ts";
import { readRows } from "../postgres/migrate/api-catalog.ts";
import { createPool } from "../postgres/pool.ts";
import type { Service } from "../services/service.ts";
import { createLogger } from "./log.ts";
import { masterKeysOf } from "./master-key.ts";

/** Composes the test mails of example requests, as a worker does: later requests read them, or give the code in them. */
export async function openExampleMails(databases: Databases, config: Config, services: readonly Service[]) {
  const connection = { url: databases.workerUrl, role: "selo_worker", applicationName: "selo generate" } as const;
  const pool = createPool(connection, 1, () => {});
  const task = composeTestMail({ site: config, kinds: await mailKindsOf(services), show: null });
  const context = {
    jobs: new Jobs(pool),
    openAudit: () => Promise.reject(new Error("composing verifies nothing")),
    masterKeys: masterKeysOf(config),
    log: createLogger("silent"),
    isLastAttempt: true,
    stopping: new AbortController().signal,
  };
  const compose = async (): Promise<void> => {
    const waiting = await readRows<object>(
      databases.adminUrl,
      "select tenant_id, environment, id from platform.mails where is_withheld and composed_at is null and failed_at is null order by id",
    );
    for (const mail of waiting) await task(mail, context);
  };
  return {
    compose,
    code: async (): Promise<string> => {
      await compose();
      const [mail] = await readRows<{ code: string }>(
        databases.adminUrl,
        "select code from platform.mails where code is not null order by id desc limit 1",
      );
      if (mail === undefined) throw new Error("no example was answered with a mail that has a code");
      return mail.code;
    },
    close: () => pool.end(),
  };
}
