import { readDer, TAG } from "../../certificates/der.ts";
import type { Order, Statement } from "../messages.ts";
import { parseCertificate } from "./certificate.ts";
import { readCrl } from "./crl.ts";
import { readOcsp } from "./ocsp.ts";
import { Unusable } from "./unusable.ts";

type RevocationOrder = Extract<Order, { task: "revocation" }>;

/** What an OCSP answer or a CRL says of a certificate. One that cannot be relied on says nothing. */
export function readStatement(order: RevocationOrder, bytes: Buffer): Statement {
  const about = {
    certificate: parseCertificate(Buffer.from(order.certificate, "base64")),
    issuer: parseCertificate(Buffer.from(order.issuer, "base64")),
    at: new Date(order.at),
  };
  try {
    const answer = readDer(bytes, TAG.sequence);
    const said = order.kind === "ocsp" ? readOcsp(answer, about) : readCrl(answer, about);
    return {
      status: said.revokedAt ? "revoked" : "good",
      revoked_at: said.revokedAt?.toISOString() ?? null,
      this_update: said.thisUpdate.toISOString(),
      next_update: said.nextUpdate?.toISOString() ?? null,
    };
  } catch (error) {
    return { status: "unknown", problem: error instanceof Unusable ? error.message : "it cannot be read" };
  }
}
