// A key that seals, PDFs, and what other programs say of sealed PDFs.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeSealCertificate, openSealKey } from "../../../src/adapters/pdf-seal/certificate.ts";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import { sealPdf } from "../../../src/adapters/pdf-seal/seal-pdf.ts";
import type { Stamp } from "../../../src/adapters/pdf-seal/stamp.ts";

export const AT = new Date("2026-11-23T10:00:00Z");

export async function aKey(): Promise<SealKey> {
  const { certificate, privateKey } = await makeSealCertificate("selo.test", "test");
  return { certificate, key: openSealKey(certificate, privateKey) };
}

export const seal = (key: SealKey, pdf: Uint8Array, stamps: readonly Stamp[] = []) =>
  sealPdf({ pdf, at: AT, reason: "Envelope ABCD-EFGH-JKLM", stamps }, key);

/** A text and a mark on the first page, of which this is an image. */
export function twoStamps({ across, down }: { readonly across: number; readonly down: number }): Stamp[] {
  const at = { page: 1, pageSize: { width: across, height: down }, height: 0.05 };
  return [
    { ...at, x: 0.2, y: 0.12, width: 0.5, drawn: { kind: "text", text: "Maria de Souza" } },
    { ...at, x: 0.7, y: 0.8, width: 0.2, drawn: { kind: "mark" } },
  ];
}

/** Runs a program on files of these contents, in its own folder. */
export function run(files: Readonly<Record<string, Uint8Array>>, command: string, ...args: string[]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-sealed-"));
  try {
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content);
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return { status, stdout, said: `${stdout}${stderr}` };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** What `pdfsig` says of each signature: whether it is valid, and whether it covers the whole file. */
export function signaturesOf(pdf: Uint8Array) {
  const { said } = run({ "sealed.pdf": pdf }, "pdfsig", "-nocert", "sealed.pdf");
  return said
    .split(/^Signature #\d+:$/m)
    .slice(1)
    .map((each) => ({
      field: /Field Name: (.*)/.exec(each)?.[1],
      signer: /Certificate Common Name: (.*)/.exec(each)?.[1],
      type: /Signature Type: (.*)/.exec(each)?.[1],
      isValid: each.includes("Signature is Valid."),
      isTotal: each.includes("Total document signed"),
    }));
}

export const OURS = {
  field: "Selo",
  signer: "Selo selo.test (TEST)",
  type: "ETSI.CAdES.detached",
  isValid: true,
  isTotal: true,
};

/** What `qpdf --check` says. */
export const isSound = (pdf: Uint8Array) =>
  run({ "sealed.pdf": pdf }, "qpdf", "--check", "sealed.pdf").said.includes(
    "No syntax or stream encoding errors found",
  );

/** The last signature of a PDF: its CMS and what it signs. */
export function signatureOf(pdf: Buffer): { readonly cms: Buffer; readonly signed: Buffer } {
  const at = pdf.lastIndexOf("/ByteRange");
  const [, start = 0, end = 0] = (/\[0 (\d+) +(\d+)/.exec(pdf.toString("latin1", at, at + 80)) ?? []).map(Number);
  const hex = pdf.toString("latin1", start + 1, end - 1);
  return {
    // DER tells its length; zeros fill the room behind it.
    cms: ofDer(Buffer.from(hex, "hex")),
    signed: Buffer.concat([pdf.subarray(0, start), pdf.subarray(end)]),
  };
}

const ofDer = (bytes: Buffer) => bytes.subarray(0, 4 + bytes.readUInt16BE(2));

/** What `openssl cms -verify -cades` says. */
export function opensslSays(pdf: Buffer, certificate: Buffer): string {
  const { cms, signed } = signatureOf(pdf);
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`;
  return run(
    { "seal.cms": cms, signed, "certificate.pem": Buffer.from(pem) },
    "openssl",
    ..."cms -verify -cades -binary -inform DER -in seal.cms -content signed -CAfile certificate.pem -purpose any -out out".split(
      " ",
    ),
  ).said.trim();
}
