import { randomBytes, X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { judge } from "../../../src/adapters/signer-certificate/child/judge.ts";
import {
  type CertificateToJudge,
  type Judged,
  judgeCertificate,
  type Refused,
} from "../../../src/adapters/signer-certificate/judge-certificate.ts";
import { readRoots } from "../../../src/adapters/signer-certificate/read-roots.ts";
import { CertificateUnjudged } from "../../../src/adapters/signer-certificate/run-child.ts";
import { ecKey, type Made, openssl, rsaKey } from "../certificates/pkcs12-files.ts";
import {
  AUTHORITY,
  CPF,
  curveKey,
  derChain,
  derOf,
  folderOf,
  HOLDER,
  issue,
  PERSON,
  PERSON_NAME,
  rootsOf,
  withNames,
} from "./authority.ts";

const NAME = `/C=BR/O=ICP-Brasil/CN=JOÃO DA SILVA:${CPF}`;
const DAY_MS = 86_400_000;
const now = new Date();
const later = (days: number) => new Date(now.getTime() + days * DAY_MS);

const root = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste v10", extensions: AUTHORITY });
const middle = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste v5", extensions: AUTHORITY, issuer: root });
const below = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste RFB v5", extensions: AUTHORITY, issuer: middle });
const roots = await rootsOf(root);
const person = (wishes: Partial<Parameters<typeof issue>[0]> = {}): Made =>
  issue({ subject: NAME, issuer: below, extensions: withNames(PERSON_NAME), days: 30, ...wishes });
const leaf = person({ key: rsaKey() });

/** The judgement in this process, as the program makes it: a refusal, or what it says. */
function judgeHere(given: Partial<CertificateToJudge> & Pick<CertificateToJudge, "chain">) {
  const authorities = given.roots ?? roots;
  return judge({
    task: "judge",
    chain: given.chain.map((der) => der.toString("base64")),
    authorities: authorities.map(({ certificate, subject, isRoot }) => ({
      certificate: certificate.toString("base64"),
      subject: subject.toString("base64"),
      isRoot,
    })),
    at: (given.at ?? now).toISOString(),
    cpf: given.cpf ?? null,
  });
}

function refusal(chain: readonly Made[], given: Partial<CertificateToJudge> = {}): string {
  const answer = judgeHere({ chain: derChain(...chain), at: later(1), ...given });
  return "refused" in answer ? answer.refused : "not refused";
}

function saying(made: Made) {
  const answer = judgeHere({ chain: derChain(made, below, middle), at: later(1) });
  if ("refused" in answer) throw new Error(answer.message);
  return answer.judged;
}

describe("the process", () => {
  const given = { chain: derChain(leaf, below, middle), roots, at: later(1), cpf: CPF };
  const accepted = (answer: Judged | Refused): Judged => {
    if ("refused" in answer) throw new Error(answer.message);
    return answer;
  };

  test("gives path, holder and key of an accepted certificate, as openssl sees them", async () => {
    const judged = accepted(await judgeCertificate(given));
    expect(judged.path).toEqual(derChain(leaf, below, middle, root));
    const x509 = new X509Certificate(leaf.certificate);
    expect(judged).toMatchObject({
      name: "JOÃO DA SILVA",
      responsible: null,
      cpf: CPF,
      cnpj: null,
      issuer: "C=BR, O=ICP-Brasil, CN=AC de Teste RFB v5",
      issuerName: "AC de Teste RFB v5",
      serial: x509.serialNumber,
      sha256: x509.fingerprint256.replaceAll(":", "").toLowerCase(),
      notBefore: x509.validFromDate,
      notAfter: x509.validToDate,
      key: "rsa",
      bits: 2048,
    });
    expect(judged.revocation).toHaveLength(3);
    const told = openssl(["verify", "-CAfile", "{root}", "-untrusted", "{others}", "{leaf}"], {
      root: root.certificate,
      others: below.certificate + middle.certificate,
      leaf: leaf.certificate,
    });
    expect(told.toString()).toContain("OK");
  });

  test("takes the certificates above the signer's in any order, with others, with the root and without it", async () => {
    const other = issue({ subject: "/CN=Another", extensions: AUTHORITY });
    const chain = derChain(leaf, other, root, middle, below, below);
    expect(accepted(await judgeCertificate({ ...given, chain })).path).toEqual(derChain(leaf, below, middle, root));
  });

  test("refuses 100 certificates, more than 64 KiB, and none", async () => {
    const many = [...derChain(leaf), ...Array.from({ length: 99 }, () => derOf(middle))];
    expect(await judgeCertificate({ ...given, chain: many })).toMatchObject({ refused: "chain" });
    const large = [derOf(leaf), randomBytes(64 * 1024)];
    expect(await judgeCertificate({ ...given, chain: large })).toMatchObject({ refused: "chain" });
    expect(await judgeCertificate({ ...given, chain: [] })).toMatchObject({ refused: "chain" });
  });

  test("refuses values nested as deep as 64 KiB can be", async () => {
    // Written from the inside, each head before what it holds.
    const nested = (depth: number) => {
      const bytes = Buffer.alloc(4 * depth);
      let start = bytes.length;
      for (let level = 0; level < depth; level += 1) {
        const length = bytes.length - start;
        const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
        start -= head.length + 1;
        bytes.set([0x30, ...head], start);
      }
      return bytes.subarray(start);
    };
    expect(await judgeCertificate({ ...given, chain: [nested(16_000)] })).toMatchObject({ refused: "chain" });
  });

  test("that comes to its memory limit refuses the chain; one that is stopped says nothing", async () => {
    const limits = { residentBytes: 1024 * 1024 };
    expect(await judgeCertificate(given, { limits })).toMatchObject({ refused: "chain" });
    await expect(judgeCertificate(given, { limits: { wallSeconds: 0 } })).rejects.toThrow(CertificateUnjudged);
    await expect(judgeCertificate(given, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  });
});

describe("a chain", () => {
  test("may lack authorities that the operator's folder has", async () => {
    const folder = await rootsOf(root, middle, below);
    expect(folder.map(({ isRoot }) => isRoot).sort()).toEqual([false, false, true]);
    expect(refusal([leaf])).toBe("chain");
    expect(refusal([leaf], { roots: folder })).toBe("not refused");
    // They are no roots.
    expect(refusal([leaf], { roots: folder.filter(({ isRoot }) => !isRoot) })).toBe("chain");
  });

  test("to a self-made root of the right name is refused", () => {
    const fake = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC Raiz de Teste v10", extensions: AUTHORITY });
    const fakeMiddle = issue({ subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste v5", extensions: AUTHORITY, issuer: fake });
    expect(refusal([person({ issuer: fakeMiddle }), fakeMiddle, fake])).toBe("chain");
    expect(refusal([person({ issuer: fakeMiddle }), fakeMiddle, middle, root])).toBe("chain");
  });

  test("of the signer's own making, or with a byte changed, is refused", () => {
    expect(refusal([issue({ subject: NAME, extensions: HOLDER })])).toBe("chain");
    const der = derOf(leaf);
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    expect(judgeHere({ chain: [der, ...derChain(below, middle)] })).toMatchObject({ refused: "chain" });
  });

  test("with a holder's certificate as an authority is refused", () => {
    expect(refusal([person({ issuer: leaf }), leaf, below, middle])).toBe("chain");
    // Also with the extension of an authority in the upper one's place: it does not say that it may sign certificates.
    const odd = issue({
      subject: "/CN=Odd",
      issuer: below,
      extensions: ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,digitalSignature"],
    });
    expect(refusal([person({ issuer: odd }), odd, below, middle])).toBe("chain");
    const mute = issue({ subject: "/CN=Mute", issuer: below, extensions: ["basicConstraints=critical,CA:TRUE"] });
    expect(refusal([person({ issuer: mute }), mute, below, middle])).toBe("chain");
  });

  test("longer than an authority allows is refused", () => {
    const short = (length: number) => {
      const upper = issue({
        subject: "/CN=Upper",
        issuer: root,
        extensions: [`basicConstraints=critical,CA:TRUE,pathlen:${length}`, "keyUsage=critical,keyCertSign,cRLSign"],
      });
      const lower = issue({ subject: "/CN=Lower", issuer: upper, extensions: AUTHORITY });
      return [person({ issuer: lower }), lower, upper];
    };
    expect(refusal(short(0))).toBe("chain");
    expect(refusal(short(1))).toBe("not refused");
  });

  test("with a weak signature is refused: SHA-1, MD5", () => {
    const weak = issue({ subject: "/CN=Weak", extensions: AUTHORITY, issuer: root, digest: "-sha1" });
    expect(refusal([person({ issuer: weak }), weak])).toBe("chain");
    const rsaRoot = issue({ subject: "/CN=RSA", extensions: AUTHORITY, key: rsaKey() });
    const md5 = person({ issuer: rsaRoot, digest: "-md5" });
    return rootsOf(rsaRoot).then((rsaRoots) => {
      expect(refusal([md5], { roots: rsaRoots })).toBe("chain");
      expect(refusal([person({ issuer: rsaRoot, digest: "-sha512" })], { roots: rsaRoots })).toBe("not refused");
    });
  });

  test("with a condition that Selo does not know is refused", () => {
    const unknown = ["1.2.3.4=critical,ASN1:UTF8String:x"];
    expect(refusal([person({ extensions: [...unknown, ...HOLDER] }), below, middle])).toBe("chain");
    expect(refusal([person({ extensions: ["1.2.3.4=ASN1:UTF8String:x", ...HOLDER] }), below, middle])).toBe(
      "not refused",
    );
    const limited = issue({
      subject: "/CN=Limited",
      issuer: root,
      extensions: [...AUTHORITY, "nameConstraints=permitted;email:.example.com"],
    });
    expect(refusal([person({ issuer: limited }), limited])).toBe("chain");
  });

  test("is found where another path of the same names is not sound", () => {
    const old = issue({
      subject: "/C=BR/O=ICP-Brasil/CN=AC de Teste v5",
      key: middle.key,
      extensions: AUTHORITY,
      issuer: root,
      days: 1,
    });
    expect(refusal([leaf, below, old], { at: later(2) })).toBe("expired");
    expect(refusal([leaf, below, old, middle], { at: later(2) })).toBe("not refused");
  });

  test("of certificates that could be strung together in millions of orders is refused", () => {
    const key = ecKey();
    const subject = "/CN=Same";
    const same = { key, certificate: issue({ subject, key, extensions: AUTHORITY }).certificate };
    const many = Array.from({ length: 9 }, (_, place) =>
      issue({ subject, key, issuer: same, extensions: AUTHORITY, serial: String(place + 1) }),
    );
    expect(refusal([person({ issuer: same }), ...many])).toBe("chain");
  });

  test("is found where an issuer's name stands in texts of another type", () => {
    const subject = "/C=BR/O=ICP-Brasil/CN=AC de Teste v2";
    const key = ecKey();
    const utf8 = issue({ subject, key, extensions: AUTHORITY, issuer: root });
    const printable = issue({ subject, key, extensions: AUTHORITY, issuer: root, texts: "default" });
    expect(derOf(printable).includes("0c10", "hex")).toBe(false);
    expect(refusal([person({ issuer: utf8 }), printable])).toBe("not refused");
  });

  test("of garbage is refused", () => {
    const [der] = derChain(leaf);
    if (!der) throw new Error("no certificate");
    const garbage = [
      Buffer.alloc(0),
      Buffer.of(0x30),
      Buffer.of(0x30, 0x80, 0, 0),
      Buffer.from("3084ffffffff", "hex"),
      Buffer.from(leaf.certificate),
      randomBytes(1_000),
      der.subarray(0, -1),
      Buffer.concat([der, Buffer.of(0)]),
    ];
    for (const each of garbage) expect(judgeHere({ chain: [each] })).toMatchObject({ refused: "chain" });
    for (const each of garbage)
      expect(judgeHere({ chain: [der, each, ...derChain(below, middle)] })).toMatchObject({ refused: "chain" });
  });

  test("with any byte flipped is refused, or is another certificate that nobody accepts", () => {
    const small = person();
    const der = derOf(small);
    for (let place = 0; place < der.length; place += 1) {
      const flipped = Buffer.from(der);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << (place & 7));
      expect(judgeHere({ chain: [flipped, ...derChain(below, middle)] })).toHaveProperty("refused");
    }
  });
});

describe("validity", () => {
  test("is asked of each certificate, on the second", async () => {
    const { validFromDate, validToDate } = new X509Certificate(leaf.certificate);
    const at = (time: Date, ms: number) => ({ at: new Date(time.getTime() + ms) });
    expect(refusal([leaf, below, middle], at(validFromDate, -1000))).toBe("expired");
    expect(refusal([leaf, below, middle], at(validFromDate, 0))).not.toBe("expired");
    expect(refusal([leaf, below, middle], at(validToDate, 0))).toBe("not refused");
    expect(refusal([leaf, below, middle], at(validToDate, 1000))).toBe("expired");
    const brief = issue({ subject: "/CN=Brief", issuer: root, extensions: AUTHORITY, days: 1 });
    expect(refusal([person({ issuer: brief }), brief], { at: later(2) })).toBe("expired");
    const briefRoot = issue({ subject: "/CN=Brief Root", extensions: AUTHORITY, days: 1 });
    const briefRoots = await rootsOf(briefRoot);
    expect(refusal([person({ issuer: briefRoot })], { at: later(2), roots: briefRoots })).toBe("expired");
  });
});

describe("a holder's certificate", () => {
  const usage = (...lines: readonly string[]) => refusal([person({ extensions: lines }), below, middle]);

  test("must be made to sign documents", () => {
    expect(usage("keyUsage=digitalSignature")).toBe("not refused");
    expect(usage("keyUsage=nonRepudiation")).toBe("not refused");
    expect(usage("keyUsage=keyEncipherment,dataEncipherment")).toBe("usage");
    expect(usage("basicConstraints=CA:FALSE")).toBe("usage");
    expect(usage("keyUsage=digitalSignature", "extendedKeyUsage=serverAuth")).toBe("usage");
    expect(usage("keyUsage=digitalSignature", "extendedKeyUsage=critical,timeStamping")).toBe("usage");
    expect(usage("keyUsage=digitalSignature", "extendedKeyUsage=serverAuth,clientAuth")).toBe("not refused");
    expect(usage("basicConstraints=critical,CA:TRUE", "keyUsage=digitalSignature,keyCertSign")).toBe("usage");
  });

  test.each([
    ["RSA of 1024 bits", () => rsaKey(1024), "key"],
    ["RSA of 2048 bits", () => rsaKey(2048), "not refused"],
    ["P-256", () => curveKey("P-256"), "not refused"],
    ["P-384", () => curveKey("P-384"), "not refused"],
    ["P-521", () => curveKey("P-521"), "key"],
    ["a curve of Bitcoin", () => curveKey("secp256k1"), "key"],
  ] as const)("with a key of %s is judged by it", (_, key, expected) => {
    expect(refusal([person({ key: key() }), below, middle])).toBe(expected);
  });

  test("below a root with a key of P-521 or Ed448 (V6, V7) is refused for the key", async () => {
    const p521 = issue({ subject: "/CN=V6", key: curveKey("P-521"), extensions: AUTHORITY, digest: "-sha512" });
    expect(refusal([person({ issuer: p521, digest: "-sha512" })], { roots: await rootsOf(p521) })).toBe("key");
    const ed448 = issue({
      subject: "/CN=V7",
      key: openssl(["genpkey", "-algorithm", "ed448"]).toString(),
      extensions: AUTHORITY,
      digest: "",
    });
    expect(refusal([person({ issuer: ed448, digest: "" })], { roots: await rootsOf(ed448) })).toBe("key");
  });
});

describe("the names of ICP-Brasil", () => {
  test.each([
    ["an octet string", `FORMAT:ASCII,OCTETSTRING:${PERSON}`],
    ["a PrintableString", `PRINTABLESTRING:${PERSON}`],
    ["a UTF8String", `UTF8:${PERSON}`],
    ["a text that ends after the CPF", `UTF8:01011980${CPF}`],
  ])("have the CPF as %s", (_, value) => {
    const made = person({ extensions: withNames(`2.16.76.1.3.1;${value}`) });
    expect(saying(made)).toMatchObject({ cpf: CPF, cnpj: null });
  });

  test("are found among others: social security number, voter's registration, e-mail, user's name", () => {
    const made = person({
      extensions: withNames(
        "2.16.76.1.3.6;FORMAT:ASCII,OCTETSTRING:000000000000",
        "1.3.6.1.4.1.311.20.2.3;UTF8:joao@example.com",
        PERSON_NAME,
        "2.16.76.1.3.5;FORMAT:ASCII,OCTETSTRING:0000000000000000000SAO PAULOSP",
      ),
    });
    expect(saying(made)).toMatchObject({ name: "JOÃO DA SILVA", cpf: CPF });
  });

  test("of an e-CNPJ have the company, and the person who answers for it", () => {
    const made = person({
      subject: "/C=BR/O=ICP-Brasil/CN=PADARIA: SÃO JOÃO LTDA:12345678000195",
      extensions: withNames(
        "2.16.76.1.3.2;FORMAT:ASCII,OCTETSTRING:JOAO DA SILVA",
        "2.16.76.1.3.3;FORMAT:ASCII,OCTETSTRING:12345678000195",
        `2.16.76.1.3.4;FORMAT:ASCII,OCTETSTRING:${PERSON}`,
      ),
    });
    expect(saying(made)).toMatchObject({
      name: "PADARIA: SÃO JOÃO LTDA",
      responsible: "JOAO DA SILVA",
      cpf: CPF,
      cnpj: "12345678000195",
    });
  });

  test("may lack a CPF: without one, with zeros, with two that differ", () => {
    const another = `2.16.76.1.3.1;UTF8:01011980${"98765432100"}`;
    for (const names of [[`2.16.76.1.3.1;UTF8:${"0".repeat(45)}`], [PERSON_NAME, another], ["2.16.76.1.3.1;UTF8:x"]]) {
      const made = person({ extensions: withNames(...names) });
      expect(saying(made).cpf).toBeNull();
      expect(refusal([made, below, middle], { cpf: CPF })).toBe("cpf");
    }
    expect(saying(person({ extensions: HOLDER })).cpf).toBeNull();
  });

  test("must be those of the CPF that is given", () => {
    expect(refusal([leaf, below, middle], { cpf: CPF })).toBe("not refused");
    expect(refusal([leaf, below, middle], { cpf: "98765432100" })).toBe("cpf");
  });

  test("leave a name without a number as it is", () => {
    expect(saying(person({ subject: "/CN=ANA: SOUZA" })).name).toBe("ANA: SOUZA");
    expect(saying(person({ subject: `/CN=:${CPF}` })).name).toBe(`:${CPF}`);
  });
});

describe("addresses for revocation", () => {
  test("are those of responders and lists, not of certificates (.p7b), LDAP or indirect lists", () => {
    const made = person({
      extensions: [
        ...HOLDER,
        "authorityInfoAccess=caIssuers;URI:http://ac.example/ac.p7b,OCSP;URI:http://ocsp.example/,OCSP;URI:ldap://x.example/",
        "crlDistributionPoints=one,two,three,four",
        "[one]",
        "fullname=URI:http://lcr.example/a.crl,URI:ldap://lcr.example/a",
        "[two]",
        "fullname=URI:https://lcr2.example/a.crl",
        "[three]",
        "fullname=URI:http://indirect.example/a.crl",
        "CRLissuer=dirName:other",
        "[other]",
        "CN=Other",
        "[four]",
        "fullname=URI:http://reasons.example/a.crl",
        "reasons=keyCompromise",
      ],
    });
    expect(saying(made).revocation[0]).toMatchObject({
      ocsp: ["http://ocsp.example/"],
      crl: ["http://lcr.example/a.crl", "https://lcr2.example/a.crl"],
    });
  });

  test("come with the question that openssl reads and would ask", () => {
    const [plan] = saying(leaf).revocation;
    const folder = folderOf({
      "request.der": Buffer.from(plan?.request ?? "", "base64"),
      "issuer.pem": below.certificate,
      "leaf.pem": leaf.certificate,
    });
    const asked = openssl(["ocsp", "-reqin", `${folder}/request.der`, "-req_text", "-no_nonce"]).toString();
    const own = openssl([
      ...["ocsp", "-issuer", `${folder}/issuer.pem`, "-cert", `${folder}/leaf.pem`, "-req_text", "-no_nonce"],
    ]).toString();
    expect(asked).toContain("Serial Number");
    expect(asked).toBe(own);
  });
});

describe("the operator's folder", () => {
  const read = (files: Readonly<Record<string, string | Buffer>>) => readRoots("ICP_BRASIL_ROOTS", folderOf(files));

  test("may have PEM and DER, several certificates in a file, the same one twice, and other files", async () => {
    const found = await read({
      "a.pem": `words\n${root.certificate}${middle.certificate}`,
      "b.CER": derOf(root),
      "c.der": derOf(below),
      "README.txt": "words",
    });
    expect(found.map(({ certificate }) => certificate)).toEqual(derChain(root, middle, below));
    expect(found.map(({ isRoot }) => isRoot)).toEqual([true, false, false]);
  });

  test("may have roots with keys that are not accepted", async () => {
    const p521 = issue({ subject: "/CN=V6", key: curveKey("P-521"), extensions: AUTHORITY, digest: "-sha512" });
    expect(await read({ "v6.pem": p521.certificate })).toMatchObject([{ isRoot: true }]);
  });

  test.each([
    ["no root", { "a.pem": middle.certificate }],
    ["nothing", {}],
    ["a holder's certificate", { "a.pem": root.certificate, "b.pem": leaf.certificate }],
    ["a file without a certificate", { "a.pem": root.certificate, "b.pem": "words" }],
    ["a damaged file", { "a.pem": root.certificate, "b.der": derOf(root).subarray(0, 100) }],
  ])("with %s is refused", async (_, files: Readonly<Record<string, string | Buffer>>) => {
    await expect(read(files)).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringContaining("ICP_BRASIL_ROOTS: "),
    });
  });

  test("that is not there is refused", async () => {
    await expect(readRoots("ICP_BRASIL_ROOTS", "/nowhere/roots")).rejects.toMatchObject({ name: "ConfigError" });
  });
});
