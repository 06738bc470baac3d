// PDFs that openssl signs, and what pdfsig and openssl say of them. The dictionaries are written as other programs write them.
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { answer } from "../../../src/adapters/pdf-signatures/child/read-file.ts";
import {
  type PdfSignature,
  readSignatures,
  type Trusted,
} from "../../../src/adapters/pdf-signatures/read-signatures.ts";
import type { Made } from "../certificates/pkcs12-files.ts";
import { openssl } from "../certificates/pkcs12-files.ts";
import { onePage, pdf, pieces } from "../pdf-check/pdf-file.ts";
import { AUTHORITY, issue, PERSON_NAME, rootsOf, withNames } from "../signer-certificate/authority.ts";

/** Certificates begin at the second in which they are made. */
export const NOW = new Date(Date.now() + 60_000);
const UNKNOWN = "9999999999";
const ROOM = 4096;

/** A pretended ICP-Brasil. */
export const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=Raiz", extensions: AUTHORITY });
export const authorities = await rootsOf(root);
export const holder = (key?: string, digest?: string): Made =>
  issue({
    subject: "/C=BR/O=ICP-Brasil/CN=MARIA SOUZA:12345678909",
    issuer: root,
    extensions: withNames(PERSON_NAME),
    ...(key === undefined ? {} : { key }),
    ...(digest === undefined ? {} : { digest }),
  });

export interface Wishes {
  readonly format?: string;
  /** Options of `openssl cms -sign`. */
  readonly options?: readonly string[];
  /** Other than openssl's. */
  readonly sign?: (content: Buffer) => Buffer;
  /** The file that is signed, by an update. */
  readonly before?: Buffer;
  /** How the dictionary is written. */
  readonly dict?: (range: string, contents: string) => string;
  /** Numbers of the update's objects: the field, and the signature. */
  readonly numbers?: readonly [number, number];
  /** Fields that the form has already. */
  readonly fields?: string;
  /** Kids of the field. */
  readonly kids?: string;
  readonly room?: number;
  /** Whose certificate is put beside the signer's. */
  readonly above?: Made;
  readonly more?: string;
}

const RANGE = `[0 ${UNKNOWN} ${UNKNOWN} ${UNKNOWN}]`;

/** A PDF with one more signature. */
export function signed(by: Made, wishes: Wishes = {}): Buffer {
  const { format = "ETSI.CAdES.detached", options = ["-cades"], before, numbers = [4, 5], room = ROOM } = wishes;
  const [field, signature] = numbers;
  const {
    fields = "",
    kids = "",
    more = "",
    above = root,
    sign = (content: Buffer) => cmsOf(content, by, options, above),
  } = wishes;
  const dict =
    wishes.dict ??
    ((range, contents) =>
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${format} /ByteRange ${range} /Contents ${contents} /M (D:20261101120000-03'00') ${more} >>`);
  const written = onePage({
    catalog: `/AcroForm << /Fields [${fields} ${field} 0 R] /SigFlags 3 >>`,
    page: `/Annots [${fields} ${field} 0 R]`,
    objects: {
      [field]: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Sig${field}) /V ${signature} 0 R /Rect [0 0 0 0] /P 3 0 R ${kids} >>`,
      [signature]: dict(RANGE, `<${"0".repeat(2 * room)}>`),
    },
  });
  const { 2: _, ...update } = written;
  return filled(before ? pdf(update, { before }) : pdf(written), sign, before?.length ?? 0);
}

/** Writes the byte range and the signature of the last dictionary. */
function filled(file: Buffer, sign: (content: Buffer) => Buffer, from = 0): Buffer {
  const range = file.indexOf(RANGE, from);
  const start = file.indexOf(`<${"0".repeat(64)}`, from);
  const end = file.indexOf(">", start) + 1;
  const numbers = [start, end, file.length - end].map((number) => String(number).padEnd(UNKNOWN.length));
  file.write(`[0 ${numbers.join(" ")}]`, range, "latin1");
  const made = sign(Buffer.concat([file.subarray(0, start), file.subarray(end)]));
  if (2 * made.length > end - start - 2) throw new Error("there is no room for the signature");
  file.write(made.toString("hex"), start + 1, "latin1");
  return file;
}

/** What `openssl cms -sign` gives for bytes. */
export const cmsOf = (content: Buffer, by: Made, options: readonly string[] = ["-cades"], above = root): Buffer =>
  openssl(
    [
      ..."cms -sign -binary -nosmimecap -outform DER -in {content} -signer {certificate} -inkey {key} -certfile {root}".split(
        " ",
      ),
      ...(options.includes("-md") ? [] : ["-md", "sha256"]),
      ...options,
    ],
    { content, certificate: by.certificate, key: by.key, root: above.certificate },
  );

/** What the process says of a file's signatures. */
export async function said(file: Buffer, trusted: Partial<Trusted> = {}): Promise<PdfSignature[] | string> {
  const found = await readSignatures(
    pieces(file),
    { authorities, stampRoots: [], ...trusted },
    { bytes: file.length, now: NOW },
  );
  return "refused" in found ? found.refused : [...found.signatures];
}

/** What its program says of each, here: the integrity, and whether it covers all but something of the file. */
export async function seen(file: Buffer, stampRoots: readonly Buffer[] = []): Promise<string> {
  const roots = stampRoots.map((each) => each.toString("base64"));
  const found = await answer(file, { authorities: [], stampRoots: roots, now: NOW.toISOString() });
  if ("refused" in found) return found.refused;
  return found.signatures
    .map(({ integrity, covers_whole_file, timestamp }) =>
      [integrity, ...(covers_whole_file ? [] : ["in part"]), ...(timestamp === "none" ? [] : [timestamp])].join(" "),
    )
    .join(", ");
}

const pem = (...made: readonly Made[]) => made.map(({ certificate }) => certificate).join("\n");
export const derOf = (made: Made) => new X509Certificate(made.certificate).raw;

/**
 * What pdfsig and openssl say of the last signature of each file, by one program: whether each finds it valid. Python cuts the signature out by its
 * byte range, as somebody would who has nothing of ours.
 */
export function oracles(
  files: readonly Buffer[],
  trust: readonly Made[] = [root],
): { pdfsig: boolean; openssl: boolean }[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-oracles-"));
  try {
    for (const [place, file] of files.entries()) fs.writeFileSync(path.join(folder, `${place}.pdf`), file);
    fs.writeFileSync(path.join(folder, "roots.pem"), pem(...trust));
    const { stdout, stderr } = spawnSync("python3", ["-c", ORACLES, String(files.length)], { cwd: folder });
    if (stderr.length > 0) throw new Error(stderr.toString());
    return JSON.parse(stdout.toString());
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const ORACLES = `
import json, re, subprocess, sys
def run(words, **more):
    return subprocess.run(words.split(), capture_output=True, **more)
def by_openssl(pdf):
    found = list(re.finditer(rb"/ByteRange *\\[ *(\\d+) +(\\d+) +(\\d+) +(\\d+) *\\]", pdf))
    if not found: return False
    first, length, second, rest = map(int, found[-1].groups())
    held = pdf[first + length : second]
    if first != 0 or held[:1] != b"<" or held[-1:] != b">" or second + rest > len(pdf): return False
    try: cms = bytes.fromhex(held[1:-1].decode("latin1"))
    except ValueError: return False
    open("cms", "wb").write(cms)
    open("content", "wb").write(pdf[:length] + pdf[second : second + rest])
    return run("openssl cms -verify -binary -inform DER -in cms -content content -CAfile roots.pem -purpose any -out out").returncode == 0
said = []
for place in range(int(sys.argv[1])):
    shown = run("pdfsig -nocert %d.pdf" % place).stdout.decode("utf8", "replace")
    last = shown.split("Signature #")[-1]
    said.append({"pdfsig": "Signature is Valid." in last, "openssl": by_openssl(open("%d.pdf" % place, "rb").read())})
print(json.dumps(said))`;
