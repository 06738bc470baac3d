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

/** Runs openssl with texts as files: an argument `{name}` becomes the path of that text. Its own words are not shown. */
export function openssl(args: readonly string[], texts: Readonly<Record<string, string>> = {}, input?: string): Buffer {
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

export function ecKey(): string {
  return pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
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
    readonly from?: string;
    readonly to?: string;
  } = {},
): string {
  const { subject = "/C=BR/O=ICP-Brasil/CN=Padaria São João Ltda:12345678000195", issuer } = about;
  const request = openssl(
    ["req", "-new", "-utf8", "-key", "{key}", "-subj", subject, "-config", "{config}"],
    { key, config: "[req]\ndistinguished_name=name\n[name]\n" },
  ).toString();
  const extensions = [
    "[v3]",
    `basicConstraints=critical,CA:${about.isAuthority ? "TRUE" : "FALSE"}`,
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

/** A PKCS#12 file by openssl, with today's algorithms unless `options` say otherwise. */
export function byOpenssl(made: Made, password: string, options: readonly string[] = [], more: readonly string[] = []) {
  return openssl(
    [
      ...["pkcs12", "-export", "-in", "{certificates}", "-inkey", "{key}", "-passout", "stdin"],
      // Texts as UTF-8.
      ...["-iter", "2048", ...options],
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

export const bytesOf = (value: forge.asn1.Asn1): Buffer =>
  Buffer.from(forge.asn1.toDer(value).getBytes(), "latin1");

/** The file with another number of iterations for its MAC: what an attacker writes does not have to be right. */
export function withMacIterations(file: Buffer, iterations: number): Buffer {
  const pfx = forge.asn1.fromDer(file.toString("latin1"), true);
  const mac = (pfx.value as forge.asn1.Asn1[])[2]?.value as forge.asn1.Asn1[];
  const count = mac[2];
  if (count) count.value = forge.asn1.integerToDer(iterations).getBytes();
  return bytesOf(pfx);
}

export const samePrivateKey = (one: string, other: string): boolean =>
  createPrivateKey(one).equals(createPrivateKey(other));
