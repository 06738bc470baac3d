/** Keys, certificates and PKCS#12 files for tests: openssl makes them, and node-forge those that openssl does not. */
import { execFileSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import forge from "node-forge";

export interface Made {
  /** PKCS#8, PEM. */
  readonly key: string;
  readonly certificate: string;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-pkcs12-"));
process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Runs openssl with texts or bytes as files: an argument `{name}` becomes the path of that file. Its own words are not shown. */
export function openssl(
  args: readonly string[],
  texts: Readonly<Record<string, string | Uint8Array>> = {},
  input?: string,
): Buffer {
  const paths = new Map(
    Object.entries(texts).map(([name, text]) => {
      const file = path.join(folder, `${name}-${files++}`);
      fs.writeFileSync(file, text);
      return [`{${name}}`, file];
    }),
  );
  return execFileSync(
    "openssl",
    args.map((arg) => paths.get(arg) ?? arg),
    { input: input ?? "", stdio: ["pipe", "pipe", "pipe"] },
  );
}

export function rsaKey(bits = 2048): string {
  return pemOf(generateKeyPairSync("rsa", { modulusLength: bits }).privateKey);
}

export function ecKey(namedCurve = "P-256"): string {
  return pemOf(generateKeyPairSync("ec", { namedCurve }).privateKey);
}

const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

/** A certificate of a key, signed by itself unless an issuer is given. */
export function certificateOf(
  key: string,
  about: {
    readonly subject?: string;
    readonly issuer?: Made;
    /** Lines of openssl's configuration: `otherName.0=2.16.76.1.3.3;…`. */
    readonly alternativeNames?: readonly string[];
    readonly isAuthority?: boolean;
    /** openssl's keyUsage. */
    readonly usage?: string;
    readonly from?: string;
    readonly to?: string;
  } = {},
): string {
  const { subject = "/C=BR/O=ICP-Brasil/CN=Padaria São João Ltda:12345678000195", issuer } = about;
  const request = openssl(["req", "-new", "-utf8", "-key", "{key}", "-subj", subject, "-config", "{config}"], {
    key,
    config: "[req]\ndistinguished_name=name\n[name]\n",
  }).toString();
  const extensions = [
    "[v3]",
    `basicConstraints=critical,CA:${about.isAuthority ? "TRUE" : "FALSE"}`,
    ...(about.usage ? [`keyUsage=critical,${about.usage}`] : []),
    ...(about.alternativeNames ? ["subjectAltName=@names", "[names]", ...about.alternativeNames] : []),
  ].join("\n");
  const signer = issuer ? { key: issuer.key, issuer: issuer.certificate } : { key };
  return openssl(
    [
      ...["x509", "-req", "-extfile", "{extensions}", "-extensions", "v3", "-in", "{request}"],
      ...(issuer ? ["-CA", "{issuer}", "-CAkey", "{key}", "-CAcreateserial"] : ["-signkey", "{key}"]),
      ...["-days", about.to === "yesterday" ? "-1" : "30"],
    ],
    { extensions, request, ...signer },
  ).toString();
}

/** The same key with private numbers that are wrong; the public ones are right. */
export function damaged(key: string): string {
  const wrong = forge.pki.privateKeyFromPem(key);
  const two = new forge.jsbn.BigInteger("2");
  for (const part of ["d", "dP", "dQ"] as const) wrong[part] = wrong[part].add(two);
  const info = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(wrong));
  return forge.pki.privateKeyInfoToPem(info);
}

/** A PKCS#12 file by openssl, with today's algorithms unless `options` say otherwise. */
export function byOpenssl(made: Made, password: string, options: readonly string[] = [], more: readonly string[] = []) {
  return openssl(
    [
      ...["pkcs12", "-export", "-in", "{certificates}", "-inkey", "{key}", "-passout", "stdin"],
      ...["-iter", "100", ...options],
    ],
    { certificates: [made.certificate, ...more].join("\n"), key: made.key },
    `${password}\n`,
  );
}

export function byForge(
  made: Made,
  password: string | null,
  options: { readonly algorithm?: "3des" | "aes256"; readonly useMac?: boolean; readonly count?: number } = {},
  more: readonly string[] = [],
): Buffer {
  const key = forge.pki.privateKeyFromPem(made.key);
  const certificates = [made.certificate, ...more].map((pem) => forge.pki.certificateFromPem(pem));
  return bytesOf(forge.pkcs12.toPkcs12Asn1(key, certificates, password, { count: 100, ...options }));
}

/** A PKCS#12 file with several keys, each with its certificate: files of one key each, whose parts stand in one. */
export function withKeys(all: readonly Made[], password: string): Buffer {
  const { asn1 } = forge;
  const parts = all.map((made) => {
    const pfx = asn1.fromDer(byForge(made, password, { useMac: false }).toString("latin1"));
    const [, content] = pfx.value as forge.asn1.Asn1[];
    return { pfx, safes: safesOf(content) };
  });
  const [first] = parts;
  if (first === undefined) throw new Error("there is no key");
  const safes = asn1.create(
    asn1.Class.UNIVERSAL,
    asn1.Type.SEQUENCE,
    true,
    parts.flatMap((part) => part.safes.flatMap(({ value }) => value as forge.asn1.Asn1[])),
  );
  const [, content] = first.pfx.value as forge.asn1.Asn1[];
  octetsOf(content).value = asn1.toDer(safes).getBytes();
  return bytesOf(first.pfx);
}

/** The octet string of a ContentInfo. */
function octetsOf(content: forge.asn1.Asn1 | undefined): forge.asn1.Asn1 {
  const [, wrapped] = (content?.value ?? []) as forge.asn1.Asn1[];
  const [octets] = (wrapped?.value ?? []) as forge.asn1.Asn1[];
  if (octets === undefined) throw new Error("the file has no content");
  return octets;
}

const safesOf = (content: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] => [
  forge.asn1.fromDer(octetsOf(content).value as string),
];

const bytesOf = (value: forge.asn1.Asn1): Buffer => Buffer.from(forge.asn1.toDer(value).getBytes(), "latin1");

/** The file with another number wherever it has this one: as an attacker would write it, with a MAC that is no longer right. */
export function withNumber(file: Buffer, from: number, to: number): Buffer {
  const old = forge.asn1.integerToDer(from).getBytes();
  const replaced = (value: forge.asn1.Asn1): forge.asn1.Asn1 => {
    if (typeof value.value !== "string") return { ...value, value: value.value.map(replaced) };
    if (value.type === forge.asn1.Type.INTEGER && value.value === old) return { ...value, value: integer(to) };
    const inner = value.type === forge.asn1.Type.OCTETSTRING ? parsed(value.value) : null;
    return inner ? { ...value, value: forge.asn1.toDer(replaced(inner)).getBytes() } : value;
  };
  return bytesOf(replaced(forge.asn1.fromDer(file.toString("latin1"), true)));
}

/** The content of a positive INTEGER, of any size. */
function integer(value: number): string {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex").toString("latin1");
  return bytes > "\x7f" ? `\0${bytes}` : bytes;
}

function parsed(bytes: string): forge.asn1.Asn1 | null {
  try {
    return forge.asn1.fromDer(bytes, true);
  } catch {
    return null;
  }
}

/** The same file as macOS and Windows write it (BER): no length at the beginning, and content in pieces. */
export function inPieces(file: Buffer): Buffer {
  const pfx = forge.asn1.fromDer(file.toString("latin1"), true);
  const [content] = partsOf(partsOf(partsOf(pfx)[1])[1]);
  const { Class, Type } = forge.asn1;
  const bytes = String(content?.value);
  if (content) {
    content.constructed = true;
    content.composed = true;
    content.value = [bytes.slice(0, 1000), bytes.slice(1000)].map((piece) =>
      forge.asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, piece),
    );
  }
  const der = bytesOf(pfx);
  return Buffer.concat([Buffer.of(0x30, 0x80), der.subarray(4), Buffer.of(0, 0)]);
}

function partsOf(value: forge.asn1.Asn1 | undefined): forge.asn1.Asn1[] {
  return typeof value?.value === "object" ? value.value : [];
}

export const samePrivateKey = (one: string, other: string): boolean =>
  createPrivateKey(one).equals(createPrivateKey(other));
