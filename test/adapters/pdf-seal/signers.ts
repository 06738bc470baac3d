// Certificates of an authority that OpenSSL makes, and what their holders sign elsewhere.
import { execFileSync } from "node:child_process";
import { createPrivateKey, type KeyObject, sign, X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { toSign } from "../../../src/adapters/pdf-seal/cms.ts";
import { finishSignature, prepareSignature, type ToPrepare } from "../../../src/adapters/pdf-seal/sign-pdf.ts";
import { AT, run } from "./seal-stage.ts";

export interface Signer {
  readonly name: string;
  /** DER, the signer's first. */
  readonly chain: readonly Buffer[];
  readonly key: KeyObject;
}

/** Keys as `openssl req -newkey` makes them. */
const KEYS = {
  "RSA 2048": ["-newkey", "rsa:2048"],
  "RSA 1024": ["-newkey", "rsa:1024"],
  "P-256": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
  "P-384": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
  "P-521": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-521"],
} as const;
export type KeyKind = keyof typeof KEYS;

/** A root, an authority below it, and those to whom it gives certificates. */
export class Authority {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-authority-"));

  constructor() {
    this.#certify("root", "AC Raiz de Teste", KEYS["RSA 2048"], ["basicConstraints=critical,CA:TRUE"]);
    this.#certify("below", "AC de Teste", KEYS["P-384"], ["basicConstraints=critical,CA:TRUE"], "root");
  }

  /** PEM. */
  get root(): Buffer {
    return fs.readFileSync(path.join(this.folder, "root.pem"));
  }

  signer(name: string, kind: KeyKind): Signer {
    const file = kind.toLowerCase().replace(" ", "-");
    const extensions = ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature,nonRepudiation"];
    this.#certify(file, name, KEYS[kind], extensions, "below");
    const der = (of: string) => new X509Certificate(fs.readFileSync(path.join(this.folder, `${of}.pem`))).raw;
    const key = createPrivateKey(fs.readFileSync(path.join(this.folder, `${file}.key`)));
    return { name, chain: [der(file), der("below"), der("root")], key };
  }

  end(): void {
    fs.rmSync(this.folder, { recursive: true });
  }

  #certify(file: string, name: string, key: readonly string[], extensions: readonly string[], by?: string): void {
    const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: this.folder, stdio: "pipe" });
    const issuer = by === undefined ? [] : ["-CA", `${by}.pem`, "-CAkey", `${by}.key`];
    openssl(
      ..."req -x509 -utf8 -nodes -sha256 -days 3650 -config /dev/null".split(" "),
      ...["-subj", `/CN=${name}`, ...key, "-keyout", `${file}.key`, "-out", `${file}.pem`],
      ...extensions.flatMap((each) => ["-addext", each]),
      ...issuer,
    );
  }
}

/** What a signer's program does with what it is told: it knows nothing of PDFs. */
export const signedBy = ({ chain, key }: Signer, digest: Buffer): Buffer =>
  sign("sha256", toSign(digest, chain).signedAttributes, key);

/** Prepares and finishes the signature of one signer. */
export async function signedPdf(
  signer: Signer,
  given: Pick<ToPrepare, "pdf" | "field"> & Partial<ToPrepare>,
): Promise<Buffer> {
  const { name, chain } = signer;
  const defaults = { at: AT, reason: "Assinatura (qualificada)", emptyFields: [], certify: false };
  const { update, digest } = await prepareSignature({ ...defaults, name, chain, ...given });
  return finishSignature({ pdf: given.pdf, update, chain, signature: signedBy(signer, digest) });
}

/** Cuts each signature out by its byte range, and asks OpenSSL: Python reads the PDF as somebody would who has nothing of ours. */
const CUT = `
import json, re, subprocess, sys
pdf = open("signed.pdf", "rb").read()
said = []
for found in re.finditer(rb"/ByteRange ?\\[ *(\\d+) +(\\d+) +(\\d+) +(\\d+) *\\]", pdf):
    first, length, second, rest = map(int, found.groups())
    hexed = pdf[first + length : second]
    assert first == 0 and hexed[:1] == b"<" and hexed[-1:] == b">"
    held = bytes.fromhex(hexed[1:-1].decode())
    size = 4 + int.from_bytes(held[2:4], "big")
    open("cms", "wb").write(held[:size])
    open("content", "wb").write(pdf[:length] + pdf[second : second + rest])
    ended = subprocess.run("openssl cms -verify -cades -binary -inform DER -in cms -content content -CAfile roots.pem -purpose any -out out".split(), capture_output=True, text=True)
    said.append({"says": ended.stderr.strip().splitlines()[0], "covers": second + rest, "left": held[size:].strip(b"\\0").hex()})
print(json.dumps(said))`;

/** What OpenSSL says of each signature, in their order: how many bytes it covers, and what is left of its room. */
export function opensslOfEach(pdf: Buffer, roots: Buffer): { says: string; covers: number; left: string }[] {
  return JSON.parse(run({ "signed.pdf": pdf, "roots.pem": roots }, "python3", "-c", CUT).said);
}

/** PEM. */
export const pemOf = (certificate: Buffer) =>
  Buffer.from(`-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`);
