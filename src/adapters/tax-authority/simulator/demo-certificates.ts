/** Certificates of a pretended authority: of the simulator's server and signer, and A1 certificates like those of ICP-Brasil. */
import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import forge from "node-forge";
import { ICP_BRASIL } from "../../certificates/other-names.ts";
import type { TaxIdentity } from "../sign-xml.ts";

const { asn1, pki } = forge;
const generate = promisify(generateKeyPair);
const DEFAULT_BITS = 2048;
const YEAR_MS = 365 * 86_400_000;
const MOST_COMMON_NAME = 64;

interface CertificateRequest {
  readonly commonName: string;
  readonly organizationalUnit?: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly bits?: number;
  readonly isAuthority?: boolean;
  /** The CNPJ of an e-CNPJ. */
  readonly cnpj?: string;
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[];
}

/** What an A1 certificate is made for. */
export interface A1Request {
  /** 14 digits, or the alphanumeric form. */
  readonly cnpj: string;
  readonly name: string;
  /** Of the PKCS#12 file. */
  readonly password: string;
  /** A day ago by default. */
  readonly notBefore?: Date;
  /** In a year by default. */
  readonly notAfter?: Date;
  readonly bits?: number;
  /** Encrypted by triple DES, as most files of ICP-Brasil are, in place of AES-256. */
  readonly legacy?: boolean;
  /** Made for nobody: without the name that holds the CNPJ. */
  readonly withoutCnpj?: boolean;
}

/** An A1 certificate: as a PKCS#12 file (.pfx), and its parts. */
export interface A1 {
  readonly p12: Buffer;
  readonly pem: TaxIdentity;
}

/** Makes an authority for ten years. */
export function makeAuthority(now: Date): Promise<TaxIdentity> {
  return issue(null, {
    commonName: "Selo simulator authority",
    notBefore: new Date(now.getTime() - YEAR_MS),
    notAfter: new Date(now.getTime() + 10 * YEAR_MS),
    isAuthority: true,
  });
}

/** Makes the certificate of a server, for hosts, or of a signer, without. */
export function makeCertificate(
  authority: TaxIdentity,
  commonName: string,
  now: Date,
  hosts?: readonly string[],
): Promise<TaxIdentity> {
  return issue(authority, {
    commonName,
    notBefore: new Date(now.getTime() - YEAR_MS),
    notAfter: new Date(now.getTime() + 10 * YEAR_MS),
    ...(hosts && { hosts }),
  });
}

/** Makes an A1 certificate (e-CNPJ) with its CNPJ in the name 2.16.76.1.3.3. */
export async function makeA1(authority: TaxIdentity, request: A1Request, now: Date = new Date()): Promise<A1> {
  const { cnpj, name, password, bits, legacy = false, withoutCnpj = false } = request;
  const { notBefore = new Date(now.getTime() - 86_400_000), notAfter = new Date(now.getTime() + YEAR_MS) } = request;
  const pem = await issue(authority, {
    commonName: `${name.slice(0, MOST_COMMON_NAME - cnpj.length - 1)}:${cnpj}`,
    organizationalUnit: "RFB e-CNPJ A1",
    notBefore,
    notAfter,
    ...(bits !== undefined && { bits }),
    ...(!withoutCnpj && { cnpj }),
  });
  const chain = [pem.certificate, authority.certificate].map((certificate) => pki.certificateFromPem(certificate));
  const file = forge.pkcs12.toPkcs12Asn1(pki.privateKeyFromPem(pem.privateKey), chain, password, {
    algorithm: legacy ? "3des" : "aes256",
    friendlyName: "e-CNPJ A1",
  });
  return { p12: Buffer.from(asn1.toDer(file).getBytes(), "latin1"), pem };
}

/** A certificate of an authority; its own when the authority is null. */
async function issue(authority: TaxIdentity | null, request: CertificateRequest): Promise<TaxIdentity> {
  const { commonName, organizationalUnit, isAuthority = false } = request;
  // By Node, because node-forge takes seconds for a key.
  const keys = await generate("rsa", {
    modulusLength: request.bits ?? DEFAULT_BITS,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(keys.publicKey);
  certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
  certificate.validity.notBefore = request.notBefore;
  certificate.validity.notAfter = request.notAfter;
  const subject = [
    { name: "countryName", value: "BR" },
    { name: "organizationName", value: "ICP-Brasil" },
    ...(organizationalUnit === undefined ? [] : [{ shortName: "OU", value: organizationalUnit }]),
    { name: "commonName", value: commonName, valueTagClass: asn1.Type.UTF8 as unknown as forge.asn1.Class },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(
    authority === null ? subject : pki.certificateFromPem(authority.certificate).subject.attributes,
  );
  const isServer = request.hosts !== undefined;
  certificate.setExtensions([
    { name: "basicConstraints", cA: isAuthority, critical: true },
    {
      name: "keyUsage",
      critical: true,
      ...(isAuthority
        ? { keyCertSign: true, cRLSign: true }
        : { digitalSignature: true, nonRepudiation: !isServer, keyEncipherment: true }),
    },
    ...(isAuthority ? [] : [{ name: "extKeyUsage", serverAuth: isServer, clientAuth: !isServer }]),
    ...(request.hosts === undefined ? [] : [{ name: "subjectAltName", altNames: request.hosts.map(hostName) }]),
    ...(request.cnpj === undefined ? [] : [{ id: pki.oids["subjectAltName"], value: cnpjName(request.cnpj) }]),
  ]);
  const signingKey = authority === null ? keys.privateKey : authority.privateKey;
  certificate.sign(pki.privateKeyFromPem(signingKey), forge.md.sha256.create());
  return { certificate: pki.certificateToPem(certificate), privateKey: keys.privateKey };
}

const DNS_NAME = 2;
const IP_ADDRESS = 7;

const hostName = (host: string) =>
  /^[\d.]+$|:/.test(host) ? { type: IP_ADDRESS, ip: host } : { type: DNS_NAME, value: host };

/** GeneralNames of one otherName (RFC 5280 §4.2.1.6); node-forge writes none by itself. */
function cnpjName(cnpj: string): forge.asn1.Asn1 {
  const { CONTEXT_SPECIFIC, UNIVERSAL } = asn1.Class;
  const { OCTETSTRING, OID, SEQUENCE } = asn1.Type;
  const tag = 0 as forge.asn1.Type;
  return asn1.create(UNIVERSAL, SEQUENCE, true, [
    asn1.create(CONTEXT_SPECIFIC, tag, true, [
      asn1.create(UNIVERSAL, OID, false, asn1.oidToDer(ICP_BRASIL.cnpj).getBytes()),
      asn1.create(CONTEXT_SPECIFIC, tag, true, [asn1.create(UNIVERSAL, OCTETSTRING, false, cnpj)]),
    ]),
  ]);
}
