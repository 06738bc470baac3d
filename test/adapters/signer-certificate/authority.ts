/** A pretended ICP-Brasil for tests: openssl makes its authorities, certificates, lists and OCSP answers. */
import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Root, readRoots } from "../../../src/adapters/signer-certificate/read-roots.ts";
import { ecKey, type Made, openssl } from "../certificates/pkcs12-files.ts";

export interface Wishes {
  readonly subject: string;
  readonly key?: string;
  /** Signed by itself without one. */
  readonly issuer?: Made;
  /** Lines of openssl's configuration, in the section of extensions; other sections may follow. */
  readonly extensions: readonly string[];
  readonly days?: number;
  /** An option of openssl; empty for keys that have their own. */
  readonly digest?: string;
  readonly serial?: string;
  /** Which types of texts names have: openssl's string_mask. */
  readonly texts?: "default" | "utf8only";
}

/** A certificate as openssl makes it. */
export function issue({ subject, key = ecKey(), issuer, extensions, ...wishes }: Wishes): Made {
  const { days = 3650, digest = "-sha256", serial, texts = "utf8only" } = wishes;
  const config = `[req]\nstring_mask=${texts}\ndistinguished_name=name\n[name]\n`;
  const request = openssl(["req", "-new", "-utf8", "-key", "{key}", "-subj", subject, "-config", "{config}"], {
    key,
    config,
  }).toString();
  const signer = issuer ? { signer: issuer.key, issuer: issuer.certificate } : { signer: key };
  const own = serial ? ["-set_serial", serial] : issuer ? ["-CAcreateserial"] : [];
  const certificate = openssl(
    [
      ...["x509", "-req", "-extfile", "{extensions}", "-extensions", "v3", "-in", "{request}", "-days", String(days)],
      ...(digest ? [digest] : []),
      ...own,
      ...(issuer ? ["-CA", "{issuer}", "-CAkey", "{signer}"] : ["-signkey", "{signer}"]),
    ],
    { extensions: ["[v3]", ...extensions].join("\n"), request, ...signer },
  ).toString();
  return { key, certificate };
}

export const AUTHORITY = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
export const HOLDER = [
  "basicConstraints=CA:FALSE",
  "keyUsage=critical,digitalSignature,nonRepudiation,keyEncipherment",
  "extendedKeyUsage=clientAuth,emailProtection",
];
export const CPF = "12345678909";
/** Of a person: birth date, CPF, social security number, identity card. */
export const PERSON = `01011980${CPF}${"0".repeat(11)}0000000012345SSPSP`;
export const PERSON_NAME = `2.16.76.1.3.1;FORMAT:ASCII,OCTETSTRING:${PERSON}`;
/** Extensions of a holder with other names. */
export const withNames = (...names: readonly string[]): string[] => [
  ...HOLDER,
  "subjectAltName=@names",
  "[names]",
  ...names.map((name, place) => `otherName.${place}=${name}`),
];

export const curveKey = (namedCurve: string): string =>
  generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();

export const derOf = ({ certificate }: Pick<Made, "certificate">): Buffer => new X509Certificate(certificate).raw;
export const derChain = (...made: readonly Made[]): Buffer[] => made.map(derOf);

const parent = fs.mkdtempSync(path.join(os.tmpdir(), "selo-authority-"));
process.once("exit", () => fs.rmSync(parent, { recursive: true, force: true }));

/** A folder with files, removed when the tests end. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = fs.mkdtempSync(path.join(parent, "folder-"));
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content);
  return folder;
}

/** Authorities as the product reads them. */
export const rootsOf = (...made: readonly Made[]): Promise<readonly Root[]> =>
  readRoots("ICP_BRASIL_TEST_ROOTS", folderOf({ "all.pem": made.map(({ certificate }) => certificate).join("\n") }));

/** One line of openssl's database of an authority. */
export interface Entry {
  /** Hexadecimal. */
  readonly serial: string;
  /** `YYMMDDHHMMSSZ,reason`; a certificate without it is good. */
  readonly revoked?: string;
}

const database = (entries: readonly Entry[]): string =>
  entries
    .map(
      ({ serial, revoked = "" }) =>
        `${revoked ? "R" : "V"}\t360101000000Z\t${revoked}\t${serial}\tunknown\t/CN=${serial}\n`,
    )
    .join("");

/** A list of revoked certificates, DER. Its times are openssl's words: `20261130100000Z`. */
export function crlOf(
  issuer: Made,
  entries: readonly Entry[],
  about: {
    readonly from?: string;
    readonly to?: string;
    readonly extensions?: readonly string[];
    readonly digest?: string;
  } = {},
): Buffer {
  const folder = folderOf({
    "index.txt": database(entries),
    number: "01",
    "ca.pem": issuer.certificate,
    "key.pem": issuer.key,
  });
  const { from, to, extensions = [], digest = "sha256" } = about;
  const config = [
    ...["[ca]", "default_ca=own", "[own]", `database=${folder}/index.txt`, `crlnumber=${folder}/number`],
    ...[`default_md=${digest}`, "default_crl_days=30", "[more]", "authorityKeyIdentifier=keyid:always", ...extensions],
  ].join("\n");
  // By files: a list of 10 MiB is more than a pipe of the tests takes.
  const args = ["ca", "-gencrl", "-config", "{config}", "-crlexts", "more", "-out", `${folder}/list.pem`];
  args.push("-cert", `${folder}/ca.pem`, "-keyfile", `${folder}/key.pem`);
  if (from) args.push("-crl_lastupdate", from);
  if (to) args.push("-crl_nextupdate", to);
  openssl(args, { config });
  openssl(["crl", "-in", `${folder}/list.pem`, "-outform", "DER", "-out", `${folder}/list.der`]);
  return fs.readFileSync(path.join(folder, "list.der"));
}

/**
 * A list of `openssl` with more entries, like the one of the first serial: openssl itself takes seconds for a list of 10 MiB.
 * @param serials hexadecimal, all as long as the first
 */
export function withSerials(list: Buffer, serials: readonly string[], issuer: Made): Buffer {
  const bytes = serials.map((serial) => Buffer.from(serial, "hex"));
  const [whole] = partsOf(list);
  const [signed = Buffer.alloc(0), algorithm = Buffer.alloc(0)] = partsOf(contentOf(whole));
  const members = partsOf(contentOf(signed));
  // Behind the version, the algorithm, the issuer and two times.
  const entries = partsOf(contentOf(members[5]));
  const like = entries.find((entry) => entry.includes(bytes[0] ?? Buffer.alloc(1)));
  if (like === undefined) throw new Error("the list has no entry of the first serial");
  const place = like.indexOf(bytes[0] ?? Buffer.alloc(1));
  const others = entries.filter((entry) => entry !== like);
  const all = bytes.flatMap((serial) => [like.subarray(0, place), serial, like.subarray(place + serial.length)]);
  const tbs = der(0x30, [...members.slice(0, 5), der(0x30, [...all, ...others]), ...members.slice(6)]);
  return der(0x30, [tbs, algorithm, der(0x03, [Buffer.of(0), sign("sha256", tbs, issuer.key)])]);
}

/** One value of DER. */
function der(tag: number, content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(bytes.length);
  const digits = size.subarray(size.findIndex((byte) => byte > 0));
  const head = bytes.length < 0x80 ? [bytes.length] : [0x80 | digits.length, ...digits];
  return Buffer.concat([Buffer.of(tag, ...head), bytes]);
}

/** Where the content of the value begins and ends that stands at the beginning. */
function extentOf(bytes: Buffer): { readonly from: number; readonly to: number } {
  const first = bytes.readUInt8(1);
  const digits = first < 0x80 ? 0 : first & 0x7f;
  const from = 2 + digits;
  return { from, to: from + (digits === 0 ? first : bytes.readUIntBE(2, digits)) };
}

function contentOf(value: Buffer | undefined): Buffer {
  if (value === undefined) throw new Error("a value is missing");
  const { from, to } = extentOf(value);
  return value.subarray(from, to);
}

/** Values that stand one behind the other. */
function partsOf(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let rest = bytes; rest.length > 0; rest = rest.subarray(parts.at(-1)?.length))
    parts.push(rest.subarray(0, extentOf(rest).to));
  return parts;
}

/** What `openssl ocsp` answers to a request; by default, for a day. */
export function ocspOf(
  request: Buffer,
  about: {
    readonly issuer: Made;
    /** The issuer by default. */
    readonly signer?: Made;
    readonly entries: readonly Entry[];
    readonly days?: number | null;
    readonly more?: readonly string[];
  },
): Buffer {
  const { issuer, signer = issuer, entries, days = 1, more = [] } = about;
  const folder = folderOf({
    "index.txt": database(entries),
    "request.der": request,
    "ca.pem": issuer.certificate,
    "signer.pem": signer.certificate,
    "key.pem": signer.key,
  });
  openssl([
    ...["ocsp", "-index", `${folder}/index.txt`, "-CA", `${folder}/ca.pem`, "-rsigner", `${folder}/signer.pem`],
    ...["-rkey", `${folder}/key.pem`, "-reqin", `${folder}/request.der`, "-respout", `${folder}/response.der`],
    ...(days === null ? [] : ["-ndays", String(days)]),
    ...more,
  ]);
  return fs.readFileSync(path.join(folder, "response.der"));
}
