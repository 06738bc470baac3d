// Certificates as public bug reports of other programs describe them, made anew by openssl.
import { describe, expect, test } from "vitest";
import { judge } from "../../../src/adapters/signer-certificate/child/judge.ts";
import { type Root, readRoots } from "../../../src/adapters/signer-certificate/read-roots.ts";
import { type Made, rsaKey } from "../certificates/pkcs12-files.ts";
import { AUTHORITY, CPF, derOf, folderOf, HOLDER, issue, PERSON, rootsOf, withNames } from "./authority.ts";

const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste", extensions: AUTHORITY });
const NAME = `/C=BR/O=ICP-Brasil/CN=JOÃO DA SILVA:${CPF}`;
const roots = await rootsOf(root);

function answerOf(chain: readonly Made[], given: { readonly roots?: readonly Root[]; readonly cpf?: string } = {}) {
  return judge({
    task: "judge",
    chain: chain.map((made) => derOf(made).toString("base64")),
    authorities: (given.roots ?? roots).map(({ certificate, subject, isRoot }) => ({
      certificate: certificate.toString("base64"),
      subject: subject.toString("base64"),
      isRoot,
    })),
    at: new Date(Date.now() + 3_600_000).toISOString(),
    cpf: given.cpf ?? null,
  });
}

function saidOf(...given: Parameters<typeof answerOf>) {
  const answer = answerOf(...given);
  if ("refused" in answer) throw new Error(`${answer.refused}: ${answer.message}`);
  return answer.judged;
}

const holder = (names: readonly string[], wishes: Partial<Parameters<typeof issue>[0]> = {}) =>
  issue({ subject: NAME, issuer: root, extensions: withNames(...names), ...wishes });

/** The same certificate with a key of a kind that nobody knows, as long as the true one: its signature is wrong. */
function withUnknownKey(made: Made): Buffer {
  const der = derOf(made);
  // id-ecPublicKey, 1.2.840.10045.2.1
  const kind = Buffer.from("06072a8648ce3d0201", "hex");
  const at = der.indexOf(kind);
  if (at < 0) throw new Error("the certificate has no key of a curve");
  der[at + kind.length - 1] = 0x7f;
  return der;
}

describe("a folder of authorities", () => {
  test("with a root whose key no program here reads leaves that one out (demoiselle/signer 344)", async () => {
    const odd = withUnknownKey(issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de amanhã", extensions: AUTHORITY }));
    const read = await readRoots("ICP_BRASIL_ROOTS", folderOf({ "a.cer": odd, "b.pem": root.certificate }));
    expect(read.filter(({ isRoot }) => isRoot)).toMatchObject([{ certificate: derOf(root) }]);
    expect(saidOf([holder([`2.16.76.1.3.1;UTF8:${PERSON}`])], { roots: read }).cpf).toBe(CPF);
  });

  test("has two authorities of one name, with keys of other lengths (demoiselle/signer 405)", async () => {
    const wishes = { subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste RFB v5", issuer: root, extensions: AUTHORITY };
    const [long, short] = [issue({ ...wishes, key: rsaKey(4096) }), issue({ ...wishes, key: rsaKey(2048) })];
    const both = await rootsOf(root, long, short);
    for (const issuer of [long, short])
      expect(saidOf([holder([`2.16.76.1.3.1;UTF8:${PERSON}`], { issuer })], { roots: both }).path[1]).toEqual(
        derOf(issuer).equals(both[1]?.certificate ?? Buffer.alloc(0)) ? 2 : 3,
      );
  });
});

describe("names", () => {
  const ZEROS = "00000000191";
  test("have a CPF that begins with zeros (demoiselle/signer 82)", () => {
    const made = holder([`2.16.76.1.3.1;FORMAT:ASCII,OCTETSTRING:01011980${ZEROS}${"0".repeat(26)}`]);
    expect(saidOf([made], { cpf: ZEROS })).toMatchObject({ cpf: ZEROS, name: "JOÃO DA SILVA" });
  });

  test.each([
    ["IA5String", "IA5"],
    ["BMPString", "BMP"],
    ["VisibleString", "VISIBLE"],
    ["T61String", "T61"],
  ])("have the person in a %s, behind others (demoiselle/signer 21)", (_, type) => {
    const made = holder([
      "1.3.6.1.4.1.311.20.2.3;UTF8:joao@example.com",
      "2.16.76.1.3.6;FORMAT:ASCII,OCTETSTRING:000000000000",
      "2.16.76.1.3.5;FORMAT:ASCII,OCTETSTRING:0000000000000000000",
      `2.16.76.1.3.1;${type}:${PERSON}`,
    ]);
    expect(saidOf([made], { cpf: CPF }).cpf).toBe(CPF);
  });

  test("of a company have its person in every order (demoiselle/signer 115)", () => {
    const names = [
      "2.16.76.1.3.3;PRINTABLESTRING:12345678000195",
      "2.16.76.1.3.2;UTF8:ANA PRADO",
      `2.16.76.1.3.4;FORMAT:ASCII,OCTETSTRING:${PERSON}`,
      "2.16.76.1.3.7;PRINTABLESTRING:000000000000",
    ];
    for (const order of [names, names.toReversed()]) {
      const subject = "/C=BR/O=ICP-Brasil/CN=PADARIA: SÃO JOÃO LTDA:12345678000195";
      expect(saidOf([holder(order, { subject })], { cpf: CPF })).toMatchObject({
        cpf: CPF,
        cnpj: "12345678000195",
        name: "PADARIA: SÃO JOÃO LTDA",
        responsible: "ANA PRADO",
      });
    }
  });

  test("without a day of birth before the CPF name nobody (OpenBanking-Brasil/specs-seguranca 161)", () => {
    const made = holder([`2.16.76.1.3.4;UTF8:${CPF}`]);
    expect(saidOf([made]).cpf).toBe(null);
    expect(answerOf([made], { cpf: CPF })).toMatchObject({ refused: "cpf" });
  });

  test("of an issuer are written in another type of text than the issuer writes itself", () => {
    const key = rsaKey();
    const wishes = { subject: "/C=BR/O=ICP-Brasil/CN=AC Certificação Única", key, issuer: root, extensions: AUTHORITY };
    // openssl's own choice is T61String for letters of Latin-1.
    const [young, old] = [issue(wishes), issue({ ...wishes, texts: "default" })];
    const made = holder([`2.16.76.1.3.1;UTF8:${PERSON}`], { issuer: old });
    expect(saidOf([made, young]).cpf).toBe(CPF);
    expect(derOf(young).equals(derOf(old))).toBe(false);
  });
});

test("a certificate without any address of its issuer has no answer to ask for (demoiselle/framework 127)", () => {
  const made = issue({ subject: NAME, issuer: root, extensions: HOLDER });
  expect(saidOf([made]).revocation).toMatchObject([{ ocsp: [], crl: [] }]);
});
