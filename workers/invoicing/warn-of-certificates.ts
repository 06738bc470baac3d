import { endingCertificates } from "../../src/services/invoicing/store.ts";
import type { WorkerTask } from "../task.ts";

/** Mails the owners of organizations whose certificates end soon, each issuer in its own transaction. */
export const warnOfCertificates: WorkerTask = async (_payload, { jobs, log, stopping }) => {
  let warned = 0;
  for (const { id, ...environment } of await endingCertificates(jobs)) {
    if (stopping.aborted) break;
    try {
      if ((await jobs.call(environment, "warn_of_certificate", { id })) !== null) warned++;
    } catch (err) {
      // The others do not wait for this one. The next run tries again.
      log.error(
        { alarm: "certificate_not_warned_of", err, issuer: id },
        "owners were not told that a certificate ends",
      );
    }
  }
  if (warned > 0) log.info({ issuers: warned }, "owners were told that certificates end");
};
