import { createHash } from "node:crypto";
import type { ParsedCertificate } from "./certificate.ts";

/** SHA-1 as AlgorithmIdentifier. It only names the issuer here: RFC 5019 (2.1.1) wants it, and some responders know no other. */
const SHA1 = Buffer.from("300906052b0e03021a0500", "hex");

/** The question to an OCSP responder (RFC 6960) about one certificate. Without a nonce: then answers can be kept. */
export function ocspRequest({ serial }: ParsedCertificate, issuer: ParsedCertificate): Buffer {
  const sha1 = (bytes: Buffer) => createHash("sha1").update(bytes).digest();
  const certificateId = sequence(
    SHA1,
    der(0x04, sha1(issuer.subject)),
    der(0x04, sha1(issuer.keyBits)),
    der(0x02, serial),
  );
  return sequence(sequence(sequence(sequence(certificateId))));
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
