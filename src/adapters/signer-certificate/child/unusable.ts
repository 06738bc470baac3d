import type { ParsedCertificate } from "./certificate.ts";

/** An answer about revocation that says nothing of the certificate, or cannot be relied on. The message is for logs. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/** Whose revocation is asked for, and when. */
export interface About {
  readonly certificate: ParsedCertificate;
  /** The next one of the path. */
  readonly issuer: ParsedCertificate;
  readonly at: Date;
}

/** What an answer says. */
export interface Said {
  /** Null for a certificate that is not revoked. */
  readonly revokedAt: Date | null;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | null;
}

/** How far clocks of authorities may be off, and how late their next answer may come. */
const LEEWAY_MS = 5 * 60_000;
/** How long an OCSP answer that names no next one is good for. */
const ALONE_MS = 24 * 3_600_000;

/** @throws Unusable for an answer that is too old, or of the future */
export function checkFresh(thisUpdate: Date, nextUpdate: Date | null, at: Date): void {
  if (thisUpdate.getTime() > at.getTime() + LEEWAY_MS) throw new Unusable("it begins in the future");
  const until = nextUpdate?.getTime() ?? thisUpdate.getTime() + ALONE_MS;
  if (until + LEEWAY_MS < at.getTime()) throw new Unusable("it is too old");
}
