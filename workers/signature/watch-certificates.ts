import type { OwnCertificate } from "../../src/services/signature/envelopes/own-certificate.ts";
import { ownCertificate } from "../../src/services/signature/envelopes/sealer-settings.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

const NOTICE_MS = 30 * 86_400_000;

/** Sounds the alarm from 30 days before a certificate that seals PDFs expires: without one, no envelope is completed and no gateway starts. */
export function watchCertificates(own: Pick<OwnCertificate, "read"> | null): WorkerTask {
  return async (_payload, { jobs, log }) => {
    const alarm = (certificate: string, environment: "live" | "test", notAfter: Date, what: string) => {
      if (notAfter.getTime() - Date.now() < NOTICE_MS)
        log.error(
          { alarm: "seal_certificate_expires", certificate, environment, expires_at: notAfter },
          `the certificate that seals PDFs expires: ${what}`,
        );
    };
    for (const { certificateId, environment, notAfter } of await jobs.sealCertificates())
      if (environment !== "live" || own === null) alarm(certificateId, environment, notAfter, "run selo keys rotate");
    if (own !== null)
      alarm("SEAL_CERTIFICATE_FILE", "live", own.read().notAfter, "put a newer one into SEAL_CERTIFICATE_FILE");
  };
}

/** The task of a worker. */
export const loadWatchCertificates = ({ config }: Pick<WorkerContext, "config">): WorkerTask =>
  watchCertificates(ownCertificate(config));
