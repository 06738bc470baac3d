import { erasePersonalDataOfMails } from "../../src/services/platform/store.ts";
import type { WorkerTask } from "../task.ts";

const AT_ONCE = 10_000;

/** Erases the personal data of mails after MAIL_RETENTION_DAYS, a bounded number in each transaction. */
export const eraseOldMails: WorkerTask = async (_payload, { jobs, log }) => {
  let erased = 0;
  for (let round = 0; round < 1_000; round++) {
    const count = await erasePersonalDataOfMails(jobs, AT_ONCE);
    erased += count;
    if (count < AT_ONCE) break;
  }
  if (erased > 0) log.info({ erased }, "erased old mails");
};
