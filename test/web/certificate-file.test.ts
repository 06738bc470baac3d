// What the thread of the signing page does with the certificate file of a signer: the code that runs in the browser, with Node's WebCrypto.
import { randomBytes, verify, X509Certificate } from "node:crypto";
import forge from "node-forge";
import { describe, expect, test } from "vitest";
import { type OwnCertificate, openFile } from "../../src/web/sign/certificate/open-file.ts";
import { ecdsaDer, NotToBeSigned, signOne } from "../../src/web/sign/certificate/sign-digests.ts";
import {
  byForge,
  byOpenssl,
  certificateOf,
  damaged,
  ecKey,
  inPieces,
  type Made,
  openssl,
  rsaKey,
  withKeys,
  withNumber,
} from "../adapters/certificates/pkcs12-files.ts";

const PASSWORD = "senha-do-A1";
const made = (key: string, about: Parameters<typeof certificateOf>[1] = {}): Made => ({
  key,
  certificate: certificateOf(key, about),
});
const root = made(rsaKey(), { subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste", isAuthority: true });
const middle = made(rsaKey(), { subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste", isAuthority: true, issuer: root });
const about = {
  subject: "/C=BR/O=ICP-Brasil/CN=MARINA COSTA DE OLIVEIRA:52998224725",
  issuer: middle,
  alternativeNames: [
    "otherName.0=2.16.76.1.3.1;FORMAT:ASCII,OCTETSTRING:010119805299822472500000000000000000000000000",
  ],
};
const marina = made(rsaKey(), about);
const elliptic = made(ecKey(), about);
const file = byOpenssl(marina, PASSWORD, [], [middle.certificate, root.certificate]);

const open = (bytes: Buffer, password = PASSWORD) => openFile(Uint8Array.from(bytes), password);
async function opened(bytes: Buffer, password = PASSWORD): Promise<OwnCertificate> {
  const answer = await open(bytes, password);
  if ("fault" in answer) throw new Error(answer.fault);
  return answer.own;
}
const pemOf = ({ chain }: OwnCertificate) => chain.map((der) => new X509Certificate(der).toString());

/** What the service would ask to sign, and whether the certificate verifies what was signed. */
async function isSignedBy({ key }: OwnCertificate, { certificate }: Made): Promise<boolean> {
  const attributes = Buffer.concat([Buffer.of(0x31, 0x20), randomBytes(32)]);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", attributes)).toString("base64");
  const signed_attributes = attributes.toString("base64");
  const signature = await signOne({ document_id: "", signed_attributes, digest }, key);
  return verify("sha256", attributes, new X509Certificate(certificate).publicKey, Buffer.from(signature, "base64"));
}

test("what a file of today's openssl holds: a key that signs and cannot be read, the chain, whose it is", async () => {
  const own = await opened(file);
  expect(pemOf(own)).toEqual([marina, middle, root].map(({ certificate }) => certificate));
  expect(own.cpf).toBe("•••.982.247-••");
  const { validFromDate, validToDate } = new X509Certificate(marina.certificate);
  expect([own.notBefore, own.notAfter]).toEqual([validFromDate.getTime(), validToDate.getTime()]);
  expect([own.key.extractable, own.key.usages]).toEqual([false, ["sign"]]);
  expect(await isSignedBy(own, marina)).toBe(true);
});

describe("files of other programs", () => {
  const files: readonly (readonly [name: string, bytes: () => Buffer, password?: string])[] = [
    ["RC2-40 and 3DES, as Windows writes them", () => byOpenssl(marina, PASSWORD, ["-legacy"])],
    ["RC2-40 alone", () => byOpenssl(marina, PASSWORD, ["-legacy", "-certpbe", "PBE-SHA1-RC2-40"])],
    ["3DES", () => byOpenssl(marina, PASSWORD, ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES"])],
    ["AES-256, by node-forge", () => byForge(marina, PASSWORD, { algorithm: "aes256" })],
    ["a MAC of SHA-512", () => byOpenssl(marina, PASSWORD, ["-macalg", "sha512"])],
    ["without a MAC", () => byOpenssl(marina, PASSWORD, ["-nomac"])],
    ["in pieces", () => inPieces(file)],
    ["nothing encrypted", () => byOpenssl(marina, PASSWORD, ["-keypbe", "NONE", "-certpbe", "NONE"])],
    ["new, with a password that is not ASCII", () => byOpenssl(marina, "maçã-ção🔑"), "maçã-ção🔑"],
    ["old, with a password that is not ASCII", () => byOpenssl(marina, "maçã-ção🔑", ["-legacy"]), "maçã-ção🔑"],
    ["accents by themselves, as macOS types them", () => byOpenssl(marina, "maçã"), "maçã".normalize("NFD")],
    ["an empty password", () => byOpenssl(marina, ""), ""],
  ];
  test.for(files)("%s", async ([, bytes, password = PASSWORD]) => {
    const own = await opened(bytes(), password);
    expect(pemOf(own)[0]).toBe(marina.certificate);
    expect(await isSignedBy(own, marina)).toBe(true);
  });

  test.for([
    ["P-256", elliptic],
    ["P-384", made(ecKey("P-384"), about)],
  ] as const)("ECDSA with %s: the signature is in DER", async ([, signer]) => {
    const own = await opened(byOpenssl(signer, PASSWORD));
    for (let time = 0; time < 8; time++) expect(await isSignedBy(own, signer)).toBe(true);
  });

  test("of two certificates of one key the newer signs, wherever it stands", async () => {
    const key = forge.pki.privateKeyFromPem(marina.key);
    const from = (year: number) => {
      const made = forge.pki.createCertificate();
      made.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
      made.setSubject([{ name: "commonName", value: `Of ${year}` }]);
      made.validity.notBefore = new Date(Date.UTC(year, 0));
      made.validity.notAfter = new Date(Date.UTC(year + 3, 0));
      made.sign(key, forge.md.sha256.create());
      return forge.pki.certificateToPem(made).replaceAll("\r", "");
    };
    const [old, young] = [from(2024), from(2026)];
    for (const [first, second] of [
      [old, young],
      [young, old],
    ] as const) {
      const own = await opened(byOpenssl({ key: marina.key, certificate: first }, PASSWORD, [], [second]));
      expect(pemOf(own)).toEqual([young]);
    }
  });

  test("of two keys that which signs is taken, and not the one for decrypting (m32/endesive 40)", async () => {
    const signing = made(rsaKey(), { ...about, usage: "digitalSignature,nonRepudiation" });
    const decrypting = made(rsaKey(), { ...about, usage: "keyEncipherment" });
    for (const pairs of [
      [decrypting, signing],
      [signing, decrypting],
    ])
      expect(pemOf(await opened(withKeys(pairs, PASSWORD)))[0]).toBe(signing.certificate);
    // Alone it is taken, and the service says why it cannot sign.
    expect(pemOf(await opened(withKeys([decrypting], PASSWORD)))[0]).toBe(decrypting.certificate);
  });

  test("the chain stands there from the root down (rmbolger/Posh-ACME 683)", async () => {
    const own = await opened(
      byForge({ key: marina.key, certificate: root.certificate }, PASSWORD, {}, [
        middle.certificate,
        marina.certificate,
      ]),
    );
    expect(pemOf(own)).toEqual([marina, middle, root].map(({ certificate }) => certificate));
  });

  test("a certificate of someone else is not sent along", async () => {
    const other = made(rsaKey(), { subject: "/CN=Somebody else" });
    const own = await opened(byOpenssl(marina, PASSWORD, [], [other.certificate, middle.certificate]));
    expect(pemOf(own)).toEqual([marina.certificate, middle.certificate]);
  });
});

describe("refused", () => {
  const files: readonly (readonly [name: string, bytes: () => Buffer, fault: string])[] = [
    ["no key", () => byOpenssl(marina, PASSWORD, ["-nokeys"]), "no_key"],
    ["a certificate alone, DER", () => Buffer.from(new X509Certificate(marina.certificate).raw), "no_key"],
    ["a certificate alone, PEM", () => Buffer.from(marina.certificate), "no_key"],
    ["no certificate", () => byOpenssl(marina, PASSWORD, ["-nocerts"]), "damaged"],
    ["the key of another certificate", () => byForge({ ...marina, key: root.key }, PASSWORD), "damaged"],
    ["a key whose public half fits alone", () => byForge({ ...marina, key: damaged(marina.key) }, PASSWORD), "damaged"],
    ["half a file", () => file.subarray(0, file.length / 2), "damaged"],
    ["no bytes", () => Buffer.alloc(0), "damaged"],
    ["chance", () => Buffer.concat([Buffer.of(0x30, 0x82), randomBytes(3000)]), "damaged"],
    ["a PDF", () => Buffer.from("%PDF-1.7\n"), "damaged"],
    ["values in values, 20,000 deep", () => Buffer.alloc(40_000, Buffer.of(0x30, 0x80)), "damaged"],
    ["a cipher that is not read", () => byOpenssl(marina, PASSWORD, ["-keypbe", "camellia-256-cbc"]), "unsupported"],
    ["a curve that the service does not take", () => byOpenssl(made(ecKey("P-521")), PASSWORD), "key"],
    ["ten million iterations", () => withNumber(file, 100, 10_000_000), "time"],
  ];
  test.for(files)("%s", async ([, bytes, fault]) => {
    expect(await open(bytes())).toEqual({ fault });
  });

  test("a wrong password, also where the file has no MAC", async () => {
    expect(await open(file, "senha-do-a1")).toEqual({ fault: "password" });
    expect(await open(byOpenssl(marina, PASSWORD, ["-nomac"]), "senha-do-a1")).toEqual({ fault: "password" });
    expect(await open(byOpenssl(marina, PASSWORD, ["-legacy"]), "")).toEqual({ fault: "password" });
  });
});

describe("what is signed", () => {
  test("nothing but a set whose digest the service says", async () => {
    const { key } = await opened(file);
    const sign = async (bytes: Buffer, told = bytes) =>
      signOne(
        {
          document_id: "",
          signed_attributes: bytes.toString("base64"),
          digest: Buffer.from(await crypto.subtle.digest("SHA-256", told)).toString("base64"),
        },
        key,
      );
    const attributes = Buffer.of(0x31, 0x01, 0x00);
    await sign(attributes);
    await expect(sign(Buffer.of(0x30, 0x01, 0x00))).rejects.toThrow(NotToBeSigned);
    await expect(sign(attributes, Buffer.of(0x31, 0x01, 0x01))).rejects.toThrow(NotToBeSigned);
  });

  test("openssl reads every ECDSA signature as two positive integers of least length", () => {
    const edges = [
      "00".repeat(32),
      `${"00".repeat(31)}01`,
      `80${"00".repeat(31)}`,
      "ff".repeat(32),
      `007f${"11".repeat(30)}`,
    ];
    for (const r of edges)
      for (const s of edges) {
        const der = ecdsaDer(Buffer.from(r + s, "hex"));
        const read = openssl(["asn1parse", "-inform", "DER", "-in", "{der}"], { der: Buffer.from(der) }).toString();
        const numbers = [...read.matchAll(/INTEGER\s+:(\w+)/g)].map(([, number = ""]) => BigInt(`0x${number}`));
        expect(numbers).toEqual([r, s].map((number) => BigInt(`0x${number}`)));
        expect(der[1]).toBe(der.length - 2);
      }
  });
});
