// Seals with a time stamp (PAdES baseline B-T), and with a certificate below an issuer. Other programs take them apart and verify them.
import { createPrivateKey, X509Certificate } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import { sealPdf } from "../../../src/adapters/pdf-seal/seal-pdf.ts";
import { MOST_TOKEN_BYTES, TimeStampAuthority } from "../../../src/adapters/time-stamp/time-stamp-authority.ts";
import { ONE_PAGE, pdf } from "../pdf-check/pdf-file.ts";
import { OpensslStage, serveAuthority } from "../time-stamp/authority-stage.ts";
import { AT, aKey, isSound, run, signaturesOf } from "./seal-stage.ts";

let stage: OpensslStage;
let server: Awaited<ReturnType<typeof serveAuthority>>;
let authority: TimeStampAuthority;
let key: SealKey;
beforeAll(async () => {
  stage = new OpensslStage();
  stage.issue("authority", "authority");
  server = await serveAuthority((query) => stage.reply(query));
  authority = new TimeStampAuthority({ url: server.url, roots: stage.read("root.pem").toString() });
  key = await aKey();
});
afterAll(async () => {
  await authority.close();
  await server.end();
  stage.end();
});

const given = { pdf: pdf(ONE_PAGE), at: AT, reason: "Envelope ABCD-EFGH-JKLM", stamps: [] };
const sealed = (stamp: (signature: Buffer) => Promise<Buffer | null>, by = key) =>
  sealPdf(given, by, { timeStamp: { stamp, mostBytes: MOST_TOKEN_BYTES } });

/** python3 takes the signature apart into the stage's folder, and says what is left of the room. */
function cut(file: Buffer): string {
  fs.rmSync(stage.file("token.tst"), { force: true });
  fs.writeFileSync(stage.file("sealed.pdf"), file);
  const program = fs.readFileSync(path.join(import.meta.dirname, "cut_signature.py"));
  fs.writeFileSync(stage.file("cut_signature.py"), program);
  const { said } = run({}, "sh", "-c", `cd '${stage.folder}' && python3 cut_signature.py sealed.pdf`);
  return said.trim();
}
const cmsVerify = (root: string) =>
  stage.says(
    {},
    ..."cms -verify -cades -binary -inform DER -in seal.cms -content signed -purpose any -out out -CAfile".split(" "),
    root,
  );

describe("a seal with a time stamp", () => {
  test("is valid to pdfsig, qpdf and openssl, and so is its time stamp, over the value of the signature", async () => {
    const file = await sealed((signature) => authority.stamp(signature));
    expect(signaturesOf(file)).toMatchObject([{ type: "ETSI.CAdES.detached", isValid: true, isTotal: true }]);
    expect(isSound(file)).toBe(true);
    expect(cut(file)).toMatch(/^1[0-9]{4} True$/);
    const own = `-----BEGIN CERTIFICATE-----\n${key.certificate.toString("base64")}\n-----END CERTIFICATE-----\n`;
    fs.writeFileSync(stage.file("own.pem"), own);
    expect(cmsVerify("own.pem")).toContain("Verification successful");
    const verify = "ts -verify -data value -token_in -in token.tst -CAfile root.pem".split(" ");
    expect(stage.says({}, ...verify)).toContain("Verification: OK");
    // One bit of the value: openssl objects.
    const value = stage.read("value");
    value[9] = (value[9] ?? 0) ^ 1;
    expect(stage.says({ value }, ...verify)).toContain("FAILED");
  });

  test("without a token is a seal without one, in a room of zeros", async () => {
    const file = await sealed(async () => null);
    expect(signaturesOf(file)).toMatchObject([{ isValid: true, isTotal: true }]);
    expect(cut(file)).toBe(`${MOST_TOKEN_BYTES + 64} True`);
    expect(fs.existsSync(stage.file("token.tst"))).toBe(false);
  });

  test("has room for the longest token, and for none that is longer", async () => {
    expect(cut(await sealed(async () => tokenOf(MOST_TOKEN_BYTES)))).toMatch(/^\d\d True$/);
    await expect(sealed(async () => tokenOf(MOST_TOKEN_BYTES + 100))).rejects.toThrow("does not fit");
  });

  test("is not made where the time stamp fails", async () => {
    await expect(sealed(() => Promise.reject(new Error("no time")))).rejects.toThrow("no time");
  });
});

test("a certificate below an issuer: the signature brings the chain, and openssl needs the root alone", async () => {
  stage.issue("issuer", "issuer");
  stage.issue("signer", "signer", { by: "issuer", key: "rsa:2048" });
  const [leaf, issuer] = ["signer", "issuer"].map((name) => new X509Certificate(stage.read(`${name}.pem`)));
  if (leaf === undefined || issuer === undefined) throw new Error("there are two");
  const own: SealKey = {
    certificate: leaf.raw,
    chain: [issuer.raw],
    key: createPrivateKey(stage.read("signer.key")),
  };
  for (const file of [await sealPdf(given, own), await sealed((signature) => authority.stamp(signature), own)]) {
    expect(signaturesOf(file)).toMatchObject([{ signer: "signer", isValid: true, isTotal: true }]);
    cut(file);
    expect(cmsVerify("root.pem")).toContain("Verification successful");
  }
  cut(await sealPdf(given, { certificate: own.certificate, key: own.key }));
  expect(cmsVerify("root.pem")).toContain("unable to get local issuer certificate");
});

/** DER of so many bytes. */
function tokenOf(length: number): Buffer {
  const token = Buffer.alloc(length);
  token[0] = 0x30;
  token[1] = 0x82;
  token.writeUInt16BE(length - 4, 2);
  return token;
}
