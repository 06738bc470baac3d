import type { TLSSocket } from "node:tls";

/** What of TLS failed: a stable name beside `tls_failed`. */
export type TlsFailure = "expired" | "not_trusted" | "wrong_name" | "purpose" | "protocol" | "client_certificate";

/** Failures that OpenSSL tells by a code of their own. Anything else that it finds in a certificate is not trusted. */
const BY_CODE: Readonly<Record<string, TlsFailure>> = {
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "wrong_name",
  HOSTNAME_MISMATCH: "wrong_name",
  // The server has no certificate for the name.
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "wrong_name",
  INVALID_PURPOSE: "purpose",
};
/** Alerts about a certificate. They are about the client's, because the server has sent its own. */
const ABOUT_OUR_CERTIFICATE =
  /_ALERT_(CERTIFICATE_\w+|BAD_CERTIFICATE|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)$/;

type MarkedError = NodeJS.ErrnoException & { tlsFailure?: TlsFailure; library?: string };

/** Marks the error of a connection whose handshake failed, while its socket still knows what came before the error. */
export function markTlsFailure(error: MarkedError, socket: TLSSocket): void {
  const { code = "" } = error;
  // Node keeps there what it refused in the certificate: for some of OpenSSL's reasons the code is UNSPECIFIED.
  if ((socket.authorizationError as unknown) === code) error.tlsFailure = BY_CODE[code] ?? "not_trusted";
  // TLS 1.2 has no alert for a missing certificate of the client. When nothing is in common, the handshake fails before the server's certificate.
  else if (code.endsWith("_ALERT_HANDSHAKE_FAILURE") && Object.keys(socket.getPeerCertificate() ?? {}).length > 0)
    error.tlsFailure = "client_certificate";
}

/** Whether an error is one of TLS. A connection that is closed in a handshake, without an alert, is not. */
export function isTlsFailure(error: unknown): boolean {
  return tlsFailureOf(error) !== null;
}

/** What of TLS failed, for an error of a connection before or after its handshake; null for any other error. */
export function tlsFailureOf(error: unknown): TlsFailure | null {
  const { tlsFailure, library, code = "" } = error as MarkedError;
  if (tlsFailure !== undefined) return tlsFailure;
  if (library === undefined && !/^(ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO)/.test(code)) return null;
  // A server of TLS 1.3 refuses a client without a certificate after the handshake.
  return BY_CODE[code] ?? (ABOUT_OUR_CERTIFICATE.test(code) ? "client_certificate" : "protocol");
}
