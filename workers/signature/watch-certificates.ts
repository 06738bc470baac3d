import type { OwnCertificate } from "../../src/services/signature/envelopes/own-certificate.ts";
import { ownCertificate } from "../../src/services/signature/envelopes/sealer-settings.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

const NOTICE_MS = 30 * 86_400_000;

/**
 * Sounds the alarm from 30 days before a certificate that seals PDFs expires: without one, no envelope is completed and no gateway starts.
 * The operator's own certificate comes to those that are published: an offline check of a seal needs it.
 */
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
    if (own === null) return;
    const { certificate, chain = [], notBefore, notAfter } = own.read();
    await jobs.keepOwnSealCertificate({
      certificate: certificate.toString("base64"),
      chain: chain.map((each) => each.toString("base64")),
      not_before: instant(notBefore),
      not_after: instant(notAfter),
    });
    alarm("SEAL_CERTIFICATE_FILE", "live", notAfter, "put a newer one into SEAL_CERTIFICATE_FILE");
  };
}

/** As the database writes instants. */
const instant = (time: Date) => time.toISOString().replace("Z", "000Z");

/** The task of a worker. */
export const loadWatchCertificates = ({ config }: Pick<WorkerContext, "config">): WorkerTask =>
  watchCertificates(ownCertificate(config));
