import type { WorkerTask } from "../task.ts";

const NOTICE_MS = 30 * 86_400_000;

/** Sounds the alarm from 30 days before a certificate that seals PDFs expires: without one, no envelope is completed and no gateway starts. */
export const watchCertificates: WorkerTask = async (_payload, { jobs, log }) => {
  for (const { certificateId, environment, notAfter } of await jobs.sealCertificates()) {
    if (notAfter.getTime() - Date.now() < NOTICE_MS)
      log.error(
        { alarm: "seal_certificate_expires", certificate: certificateId, environment, expires_at: notAfter },
        "the certificate that seals PDFs expires: run selo keys rotate",
      );
  }
};
