/** A pretended ICP-Brasil: a root, an authority below it, and the e-CPF of an invented person. */
import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import forge from "node-forge";
import { ICP_BRASIL } from "../../../adapters/certificates/other-names.ts";

const { asn1, pki } = forge;
const generate = promisify(generateKeyPair);
const YEARS = 3;
const DAY_MS = 86_400_000;

/** Her CPF is right in its form, as that of examples is. */
const PERSON = { name: "MARINA COSTA DE OLIVEIRA", cpf: "52998224725", born: "01011980" };

interface Made {
  readonly certificate: forge.pki.Certificate;
  readonly key: forge.pki.rsa.PrivateKey;
}

/** @returns the root in PEM with its serial number, and the file of certificate, key and chain */
export async function makeDemoSigner(
  password: string,
  now: Date,
): Promise<{ readonly root: string; readonly serial: string; readonly p12: Buffer }> {
  // By Node, because node-forge takes seconds for a key.
  const [rootKeys, authorityKeys, personKeys] = await Promise.all([keys(), keys(), keys()]);
  const root = issue(null, "AC Raiz de Teste do Selo", rootKeys, now, AUTHORITY);
  const authority = issue(root, "AC de Teste do Selo", authorityKeys, now, AUTHORITY);
  const person = issue(authority, `${PERSON.name}:${PERSON.cpf}`, personKeys, now, HOLDER);
  const chain = [person, authority, root].map(({ certificate }) => certificate);
  const file = forge.pkcs12.toPkcs12Asn1(person.key, chain, password, {
    algorithm: "aes256",
    friendlyName: PERSON.name,
  });
  return {
    root: pki.certificateToPem(root.certificate),
    serial: root.certificate.serialNumber,
    p12: Buffer.from(asn1.toDer(file).getBytes(), "latin1"),
  };
}

const AUTHORITY: readonly object[] = [
  { name: "basicConstraints", cA: true, critical: true },
  { name: "keyUsage", critical: true, keyCertSign: true, cRLSign: true },
];
const HOLDER: readonly object[] = [
  { name: "basicConstraints", cA: false, critical: true },
  { name: "keyUsage", critical: true, digitalSignature: true, nonRepudiation: true, keyEncipherment: true },
  { name: "extKeyUsage", clientAuth: true, emailProtection: true },
  { id: pki.oids["subjectAltName"], value: personName() },
];

const keys = () =>
  generate("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

/** A certificate of an issuer; its own without one. */
function issue(
  issuer: Made | null,
  commonName: string,
  { publicKey, privateKey }: Awaited<ReturnType<typeof keys>>,
  now: Date,
  extensions: readonly object[],
): Made {
  const certificate = pki.createCertificate();
  const key = pki.privateKeyFromPem(privateKey);
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = `01${randomBytes(15).toString("hex")}`;
  // Clocks differ.
  certificate.validity.notBefore = new Date(now.getTime() - DAY_MS);
  certificate.validity.notAfter = new Date(now.getTime() + YEARS * 365 * DAY_MS);
  const subject = [
    { name: "countryName", value: "BR" },
    { name: "organizationName", value: "ICP-Brasil" },
    { name: "commonName", value: commonName },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer === null ? subject : issuer.certificate.subject.attributes);
  certificate.setExtensions([
    ...extensions,
    { name: "subjectKeyIdentifier" },
    ...(issuer === null ? [] : [{ name: "authorityKeyIdentifier", keyIdentifier: keyIdentifierOf(issuer) }]),
  ]);
  certificate.sign(issuer === null ? key : issuer.key, forge.md.sha256.create());
  return { certificate, key };
}

const keyIdentifierOf = ({ certificate }: Made): string => certificate.generateSubjectKeyIdentifier().getBytes();

/** The name of ICP-Brasil that has the CPF (DOC-ICP-04): birth date, CPF, social security number, identity card. */
function personName(): forge.asn1.Asn1 {
  const { CONTEXT_SPECIFIC, UNIVERSAL } = asn1.Class;
  const { OCTETSTRING, OID, SEQUENCE } = asn1.Type;
  const tag = 0 as forge.asn1.Type;
  const text = `${PERSON.born}${PERSON.cpf}${"0".repeat(11)}${"0".repeat(15)}SSPSP`;
  return asn1.create(UNIVERSAL, SEQUENCE, true, [
    asn1.create(CONTEXT_SPECIFIC, tag, true, [
      asn1.create(UNIVERSAL, OID, false, asn1.oidToDer(ICP_BRASIL.person).getBytes()),
      asn1.create(CONTEXT_SPECIFIC, tag, true, [asn1.create(UNIVERSAL, OCTETSTRING, false, text)]),
    ]),
  ]);
}
