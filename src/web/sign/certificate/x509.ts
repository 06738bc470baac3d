/** As much of a certificate (RFC 5280) as the page shows, and as it needs to find key and chain. */
import forge from "node-forge";
import { bytesOf, latin1 } from "../../../pkcs12/bytes.ts";

type Asn1 = forge.asn1.Asn1;

/** A certificate of the file. */
export interface Certificate {
  readonly der: Uint8Array<ArrayBuffer>;
  /** DER of both names, as texts to compare. */
  readonly subject: string;
  readonly issuer: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Whether its key may sign documents, by its keyUsage. */
  readonly maySign: boolean;
  /** Eleven digits, in the alternative names of ICP-Brasil: of the person, or of who answers for a company. */
  readonly cpf: string | null;
}

/** The curves that WebCrypto and the service know, by their identifiers. */
const CURVES: Readonly<Record<string, "P-256" | "P-384">> = {
  "1.2.840.10045.3.1.7": "P-256",
  "1.3.132.0.34": "P-384",
};
const RSA = "1.2.840.113549.1.1.1";
const EC = "1.2.840.10045.2.1";
const KEY_USAGE = "2.5.29.15";
const ALTERNATIVE_NAMES = "2.5.29.17";
/** Both begin with the day of birth, in eight digits; then comes the CPF. */
const WITH_CPF = ["2.16.76.1.3.1", "2.16.76.1.3.4"];

/** @throws Error for bytes that are not a certificate */
export function readCertificate(der: Uint8Array<ArrayBuffer>): Certificate {
  const [signed] = partsOf(parsed(der));
  const parts = partsOf(signed);
  // The version is left out in the first one.
  const [, , issuer, validity, subject, publicKey, ...others] =
    parts[0]?.tagClass === forge.asn1.Class.CONTEXT_SPECIFIC ? parts.slice(1) : parts;
  const [notBefore, notAfter] = partsOf(validity).map(dateOf);
  if (!issuer || !subject || !publicKey || !notBefore || !notAfter) throw new Error("no certificate");
  return {
    der,
    subject: textOf(subject),
    issuer: textOf(issuer),
    publicKey: bytesOf(textOf(publicKey)),
    notBefore,
    notAfter,
    maySign: maySign(extensionOf(others, KEY_USAGE)),
    cpf: cpfOf(extensionOf(others, ALTERNATIVE_NAMES)),
  };
}

/** How WebCrypto knows the kind of a key; null where neither it nor the service does. */
export type KeyKind =
  | { readonly name: "RSASSA-PKCS1-v1_5"; readonly hash: "SHA-256" }
  | { readonly name: "ECDSA"; readonly namedCurve: "P-256" | "P-384" };

/** @param publicKey SubjectPublicKeyInfo */
export function kindOf(publicKey: Uint8Array): KeyKind | null {
  const [algorithm] = partsOf(parsed(publicKey));
  const [name, curve] = partsOf(algorithm);
  const named = oidOf(name);
  if (named === RSA) return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const namedCurve = named === EC && curve?.type === forge.asn1.Type.OID ? CURVES[oidOf(curve)] : undefined;
  return namedCurve === undefined ? null : { name: "ECDSA", namedCurve };
}

/** The certificate and those above it, as their names say. Whether each signed the other, the service checks. */
export function chainOf(leaf: Certificate, all: readonly Certificate[]): Certificate[] {
  const chain = [leaf];
  for (const below of chain)
    for (const above of all)
      if (above.subject === below.issuer && !chain.some(({ der }) => isSame(der, above.der))) chain.push(above);
  return chain;
}

const isSame = (one: Uint8Array, other: Uint8Array) => latin1(one) === latin1(other);

/** The value of an extension; undefined without it. */
function extensionOf(parts: readonly Asn1[], wanted: string): Asn1 | undefined {
  const extensions = parts.find(
    ({ tagClass, type }) => tagClass === forge.asn1.Class.CONTEXT_SPECIFIC && Number(type) === 3,
  );
  const value = partsOf(partsOf(extensions)[0])
    .map(partsOf)
    .find(([name]) => oidOf(name) === wanted)
    ?.at(-1)?.value;
  return typeof value === "string" ? parsed(bytesOf(value)) : undefined;
}

/** digitalSignature and nonRepudiation are the first two bits; the byte before says how many are unused. */
function maySign(usage: Asn1 | undefined): boolean {
  const bits = usage?.value;
  return typeof bits !== "string" || (bits.charCodeAt(1) & 0xc0) !== 0;
}

function cpfOf(names: Asn1 | undefined): string | null {
  for (const { type, value } of partsOf(names)) {
    if (Number(type) !== 0 || typeof value === "string") continue;
    const [kind, text] = value;
    const [, cpf] = WITH_CPF.includes(oidOf(kind)) ? (/^\d{8}(\d{11})/.exec(lettersOf(text)) ?? []) : [];
    if (cpf !== undefined) return cpf;
  }
  return null;
}

/** A date of a certificate: UTCTime or GeneralizedTime. */
function dateOf(time: Asn1): Date | undefined {
  const { value, type } = time;
  if (typeof value !== "string") return undefined;
  return type === forge.asn1.Type.UTCTIME ? forge.asn1.utcTimeToDate(value) : forge.asn1.generalizedTimeToDate(value);
}

function parsed(der: Uint8Array): Asn1 {
  return forge.asn1.fromDer(latin1(der), true);
}

function partsOf(value: Asn1 | undefined): Asn1[] {
  return value === undefined || typeof value.value === "string" ? [] : value.value;
}

const oidOf = (value: Asn1 | undefined): string =>
  typeof value?.value === "string" && value.type === forge.asn1.Type.OID ? forge.asn1.derToOid(value.value) : "";

/** The letters of a text, in however many wrappings. */
function lettersOf(value: Asn1 | undefined): string {
  if (value === undefined) return "";
  return typeof value.value === "string" ? value.value : lettersOf(value.value[0]);
}

const textOf = (value: Asn1): string => forge.asn1.toDer(value).getBytes();
