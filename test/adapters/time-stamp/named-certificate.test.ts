import { createHash } from "node:crypto";
import { Attribute, SignedAndUnsignedAttributes, SignerInfo } from "pkijs";
import { expect, test } from "vitest";
import { der, readDer } from "../../../src/adapters/time-stamp/der.ts";
import { namesCertificate } from "../../../src/adapters/time-stamp/named-certificate.ts";

/** signing-certificate-v2 (RFC 5035), with the digest that its algorithm names; null for the algorithm that it leaves out. */
function naming(certificate: Buffer, algorithm: string | null, digest: string): SignerInfo {
  const hash = der(0x04, createHash(digest).update(certificate).digest());
  const name = algorithm === null ? [hash] : [der(0x30, der(0x06, Buffer.from(algorithm, "hex"))), hash];
  const values = [readDer(der(0x30, der(0x30, der(0x30, ...name))))];
  const attributes = [new Attribute({ type: "1.2.840.113549.1.9.16.2.47", values })];
  return new SignerInfo({ signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }) });
}

test("a certificate is named by a digest of any usual kind", () => {
  const [one, other] = [Buffer.from("one"), Buffer.from("other")];
  const named = [
    [null, "sha256"],
    ["608648016503040203", "sha512"],
    ["2b0e03021a", "sha1"],
  ] as const;
  for (const [algorithm, digest] of named) {
    const info = naming(one, algorithm, digest);
    expect([digest, namesCertificate(info, one), namesCertificate(info, other)]).toEqual([digest, true, false]);
  }
});
