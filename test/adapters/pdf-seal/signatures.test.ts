// Signatures that are made elsewhere, as pdfsig, OpenSSL and qpdf see them.
import { sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkPdf } from "../../../src/adapters/pdf-check/check-pdf.ts";
import { type SealKey, SignatureRefused, toSign } from "../../../src/adapters/pdf-seal/cms.ts";
import { sealPdf } from "../../../src/adapters/pdf-seal/seal-pdf.ts";
import { CertifiedClosed, SealingFailed, Unsealable } from "../../../src/adapters/pdf-seal/sealing-failed.ts";
import { finishSignature, prepareSignature, type ToPrepare } from "../../../src/adapters/pdf-seal/sign-pdf.ts";
import { drawStamps } from "../../../src/adapters/pdf-seal/update-pdf.ts";
import { byLane } from "../../support/lane.ts";
import { onePage, pdf } from "../pdf-check/pdf-file.ts";
import { placesOf, some, unnoticed } from "./flips.ts";
import { kinds, qpdf, withText } from "./kinds.ts";
import { oddTables } from "./odd-tables.ts";
import { AT, aKey, isSound, run, signatureOf, signaturesOf, twoStamps } from "./seal-stage.ts";
import { Authority, opensslOfEach, pemOf, type Signer, signedBy, signedPdf } from "./signers.ts";

const authority = new Authority();
const [maria, joao, ana] = [
  authority.signer("Maria José", "RSA 2048"),
  authority.signer("João", "P-256"),
  authority.signer("Ana", "P-384"),
];
let key: SealKey;
let roots: Buffer;
beforeAll(async () => {
  key = await aKey();
  roots = Buffer.concat([authority.root, pemOf(key.certificate)]);
});
afterAll(() => authority.end());

const FIELDS = ["Selo ABCD-EFGH 1", "Selo ABCD-EFGH 2", "Selo ABCD-EFGH 3", "Selo ABCD-EFGH"] as const;
const SEAL = FIELDS[3];
const seal = (file: Buffer, field?: string) => sealPdf({ pdf: file, at: AT, reason: "Envelope ABCD-EFGH", field }, key);
const VALID = "CAdES Verification successful";

/** What both say of each signature: pdfsig's fields, and whether OpenSSL, which gets the bytes from Python, finds it valid. */
function validFields(file: Buffer): string[] {
  // pdfsig names the empty fields, too.
  const found = signaturesOf(file).filter(({ type }) => type !== undefined);
  const said = opensslOfEach(file, roots);
  expect(said.map(({ says, left }) => ({ says, left }))).toEqual(found.map(() => ({ says: VALID, left: "" })));
  expect(found.map(({ isValid, type }) => ({ isValid, type }))).toEqual(
    found.map(() => ({ isValid: true, type: "ETSI.CAdES.detached" })),
  );
  // The last signs the whole file, and no earlier one does.
  expect(found.map(({ isTotal }) => isTotal)).toEqual(found.map((_, place) => place === found.length - 1));
  expect(said.at(-1)?.covers).toBe(file.length);
  expect(isSound(file)).toBe(true);
  return found.map(({ field = "" }) => field);
}

describe("three signers and the seal", () => {
  const revisions: Buffer[] = [];
  beforeAll(async () => {
    const [first, ...later] = FIELDS;
    revisions.push(await signedPdf(maria, { pdf: withText, field: first, emptyFields: later, certify: true }));
    revisions.push(await signedPdf(joao, { pdf: revisions[0] as Buffer, field: FIELDS[1] }));
    revisions.push(await signedPdf(ana, { pdf: revisions[1] as Buffer, field: FIELDS[2] }));
    revisions.push(await seal(revisions[2] as Buffer, SEAL));
  });

  test("are each valid, after each step, and each begins with the bytes of the one before", () => {
    for (const [place, file] of revisions.entries()) {
      expect(validFields(file)).toEqual(FIELDS.slice(0, place + 1));
      const before = revisions[place - 1] ?? withText;
      expect(file.subarray(0, before.length).equals(before)).toBe(true);
    }
    expect(signaturesOf(revisions[3] as Buffer).map(({ signer }) => signer)).toEqual([
      ...["Maria José", "João", "Ana"],
      "Selo selo.test (TEST)",
    ]);
  });

  test("the first allows later ones and nothing else, and brings their fields: they add none", () => {
    const [first = Buffer.alloc(0), , , last = Buffer.alloc(0)] = revisions;
    expect(first.toString("latin1").replaceAll(/\s+/g, " ")).toContain(
      "/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 2 /V /1.2 >> >>]",
    );
    const later = last.toString("latin1", first.length);
    expect(later).not.toMatch(/\/Reference|\/Fields|\/Catalog/);
    expect(later.match(/ obj\n/g)).toHaveLength(6);
    expect(last.toString("latin1")).not.toContain("/Perms");
  });

  test("have the attributes of B-B, and the whole chain", () => {
    const { cms } = signatureOf(revisions[1] as Buffer);
    const { said } = run({ cms }, ...("openssl cms -cmsout -print -inform DER -in cms".split(" ") as [string]));
    const [, attributes = ""] = /signedAttrs:(.*)signatureAlgorithm:/s.exec(said) ?? [];
    expect([...attributes.matchAll(/object: (\S+)/g)].map(([, name]) => name)).toEqual([
      ...["contentType", "messageDigest", "id-smime-aa-signingCertificateV2"],
    ]);
    expect(said).not.toMatch(/unsignedAttrs:\n +object/);
    const subjects = [...said.matchAll(/subject: CN=(.*)/g)].map(([, name]) => name);
    expect(subjects.sort()).toEqual(["AC Raiz de Teste", "AC de Teste", "Jo\\xC3\\xA3o"]);
  });

  test("show a flipped byte", () => {
    const file = revisions[2] as Buffer;
    const { outside } = placesOf(file);
    const root = run({ r: authority.root }, "openssl", "x509", "-in", "r", "-outform", "DER").stdout;
    expect(unnoticed(file, root, some(outside, 16))).toEqual([]);
  });
});

const prepared = (signer: Signer, given: Partial<ToPrepare> = {}) => {
  const defaults = { pdf: withText, at: AT, reason: "Assinatura", field: "one", emptyFields: [], certify: false };
  return prepareSignature({ ...defaults, name: signer.name, chain: signer.chain, ...given });
};
const ordinary = new Map<Signer, ReturnType<typeof prepared>>();
/** The same without a wish, which a process prepares once for each signer. */
const preparedOnce = (signer: Signer) => {
  const made = ordinary.get(signer) ?? prepared(signer);
  ordinary.set(signer, made);
  return made;
};

describe("what is prepared", () => {
  test("has the same bytes each time, and another digest with anything else", async () => {
    const [one, again] = [await prepared(joao), await prepared(joao)];
    expect(again).toEqual(one);
    const others: Partial<ToPrepare>[] = [
      ...[{ at: new Date(0) }, { reason: "Another" }, { name: "João da Silva" }, { name: null }, { field: "two" }],
      ...[{ emptyFields: ["two"] }, { certify: true }, { chain: ana.chain }, { pdf: kinds[5]?.[1] as Buffer }],
      { stamps: twoStamps({ across: 612, down: 792 }) },
    ];
    const digests = await Promise.all(
      others.map(async (given) => (await prepared(joao, given)).digest.toString("hex")),
    );
    expect(new Set([...digests, one.digest.toString("hex")]).size).toBe(others.length + 1);
  });

  test("shows whatever name and reason, which are never read as PDF", async () => {
    const latin = "/ByteRange [0 1 2 3] (\\ >> é";
    for (const [name, reason] of [
      [latin, `${latin} Ω 漢字`],
      [`${latin} Ω 漢字`, latin],
    ] as const) {
      const file = await signedPdf(maria, { pdf: withText, field: "one", name, reason });
      expect(validFields(file)).toEqual(["one"]);
    }
  });

  test("takes names of fields that are no path, each once, and no field that is signed or is another", async () => {
    for (const field of ["a.b", "", "(a", "ã", "a".repeat(65)])
      await expect(prepared(joao, { field })).rejects.toThrow(TypeError);
    await expect(prepared(joao, { emptyFields: ["two", "two"] })).rejects.toThrow(TypeError);
    await expect(prepared(joao, { emptyFields: ["one"] })).rejects.toThrow(TypeError);
    const signed = await signedPdf(maria, { pdf: withText, field: "one" });
    await expect(prepared(joao, { pdf: signed })).rejects.toThrow(Unsealable);
    await expect(prepared(joao, { pdf: signed, field: "two", emptyFields: ["one"] })).rejects.toThrow(Unsealable);
    await expect(prepared(joao, { pdf: signed, field: "two", certify: true })).rejects.toThrow(Unsealable);
    await expect(prepared(joao, { pdf: kinds[5]?.[1] as Buffer, field: "name" })).rejects.toThrow(Unsealable);
  });

  test("is nothing of a key that is weak or of another curve", async () => {
    for (const kind of ["RSA 1024", "P-521"] as const)
      await expect(prepared(authority.signer("x", kind))).rejects.toMatchObject({ reason: "key" });
    await expect(prepared(joao, { chain: [] })).rejects.toMatchObject({ reason: "certificate" });
    const padded = Buffer.concat([joao.chain[0] as Buffer, Buffer.of(0)]);
    await expect(prepared(joao, { chain: [padded] })).rejects.toMatchObject({ reason: "certificate" });
  });
});

describe("PDFs of all kinds are signed, and sealed after it", () => {
  // Tables that few programs write: the library gets ours, and the next signature stands on it.
  const odd = Object.entries(oddTables).filter(([name]) => /pyHanko|^a hybrid file$|catalog|wrong by one/.test(name));
  // All of them in signatures.full.test.ts. The first is what three signers signed, and seal-pdf.test.ts and odd-tables.test.ts seal each.
  const some = [...kinds, ...odd].filter(([name]) =>
    /^linearized|^with (object streams|a form)|pyHanko|hybrid/.test(name),
  );

  test.each(byLane({ lane: some, full: [...kinds, ...odd] }))("%s", async (_, file) => {
    const signed = await signedPdf(joao, { pdf: file, field: FIELDS[0], emptyFields: [SEAL], certify: true });
    expect(validFields(await seal(signed, SEAL))).toEqual([FIELDS[0], SEAL]);
  });

  test("with a signature of somebody else, which stays valid", async () => {
    const before = await seal(qpdf(withText, "--object-streams=generate", "--deterministic-id"));
    const signed = await signedPdf(maria, { pdf: before, field: FIELDS[0], emptyFields: [SEAL] });
    expect(validFields(await seal(signed, SEAL))).toEqual(["Selo", FIELDS[0], SEAL]);
  });

  test("an encrypted one is not", async () => {
    const encrypted = qpdf(withText, "--encrypt", "", "owner", "256", "--");
    expect(encrypted.includes("/Encrypt")).toBe(true);
    await expect(prepared(joao, { pdf: encrypted })).rejects.toThrow(SealingFailed);
  });
});

describe("a PDF that somebody certified", () => {
  /** A valid certification that allows so much. */
  async function certified(level: number): Promise<Buffer> {
    const { update } = await prepared(ana, { certify: true, field: "theirs" });
    const changed = Buffer.from(update.toString("latin1").replace("/P 2\n", `/P ${level}\n`), "latin1");
    return finished(ana, changed);
  }

  test("takes no signature where it allows none, and the check of the upload tells it", async () => {
    const file = await certified(1);
    expect(validFields(file)).toEqual(["theirs"]);
    await expect(prepared(joao, { pdf: file })).rejects.toThrow(CertifiedClosed);
    expect(await verdictOf(file)).toMatchObject({ verdict: "ready", signed: true, certified: true });
  });

  test("takes one where it allows them", async () => {
    for (const level of [2, 3]) {
      const file = await certified(level);
      expect(validFields(await signedPdf(joao, { pdf: file, field: "one" }))).toEqual(["theirs", "one"]);
      expect(await verdictOf(file)).not.toHaveProperty("certified");
    }
  });

  test.each([
    ["as the catalog names it", "/Perms << /DocMDP 4 0 R >>", "4 0 R"],
    ["in a field below another", "/AcroForm << /Fields [<< /T (a) /Kids [<< /T (b) /V 4 0 R >>] >>] >>", "4 0 R"],
    ["in the lock of a signed field", "/AcroForm << /Fields [<< /T (a) /Lock << /P 1 >> /V 5 0 R >>] >>", "5 0 R"],
  ])("%s", async (_, catalog) => {
    const signature = "/Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 1 2 3] /Contents <00>";
    const reference = "/Reference [<< /TransformMethod /DocMDP /TransformParams 6 0 R >>]";
    const objects = { 4: `<< ${signature} ${reference} >>`, 5: `<< ${signature} >>`, 6: "<< /P 1 >>" };
    const file = pdf(onePage({ catalog, objects }));
    await expect(prepared(joao, { pdf: file })).rejects.toThrow(CertifiedClosed);
    expect(await verdictOf(file)).toMatchObject({ certified: true });
  });

  const verdictOf = (file: Buffer) =>
    checkPdf(
      (async function* () {
        yield file;
      })(),
    ).deep;
});

/** Signs what an update says. */
function finished(signer: Signer, update: Buffer, signature = (digest: Buffer) => signedBy(signer, digest)): Buffer {
  const at = update.lastIndexOf("/Contents <") + "/Contents ".length;
  const after = update.indexOf(">", at) + 1;
  const { createHash } = process.getBuiltinModule("node:crypto");
  const signed = [withText, update.subarray(0, at), update.subarray(after)];
  const digest = createHash("sha256").update(Buffer.concat(signed)).digest();
  return finishSignature({ pdf: withText, update, chain: signer.chain, signature: signature(digest) });
}

/** P1363, as WebCrypto and tokens give it. */
const raw = ({ chain, key }: Signer, digest: Buffer) =>
  sign("sha256", toSign(digest, chain).signedAttributes, { key, dsaEncoding: "ieee-p1363" });

describe("a signature is refused", () => {
  const trailing = (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)]);
  const zero = Buffer.alloc(32);
  const faults: readonly (readonly [string, Signer, (digest: Buffer) => Buffer, string])[] = [
    [
      "of another RSA key",
      maria,
      (digest) => sign("sha256", toSign(digest, maria.chain).signedAttributes, others.rsa.key),
      "mismatch",
    ],
    [
      "of a longer RSA key",
      maria,
      (digest) => sign("sha256", toSign(digest, maria.chain).signedAttributes, key.key),
      "format",
    ],
    [
      "of a key of another kind",
      maria,
      (digest) => sign("sha256", toSign(digest, maria.chain).signedAttributes, joao.key),
      "format",
    ],
    [
      "of another key of its curve",
      joao,
      (digest) => sign("sha256", toSign(digest, joao.chain).signedAttributes, others.ec.key),
      "mismatch",
    ],
    ["over another digest (RSA)", maria, () => signedBy(maria, zero), "mismatch"],
    ["over another digest (ECDSA)", ana, () => signedBy(ana, zero), "mismatch"],
    ["over the digest itself, without attributes", maria, (digest) => sign("sha256", digest, maria.key), "mismatch"],
    [
      "for another certificate of the same key",
      ana,
      (digest) => sign("sha256", toSign(digest, [joao.chain[0] as Buffer]).signedAttributes, ana.key),
      "mismatch",
    ],
    ["ECDSA that is not DER", joao, (digest) => raw(joao, digest), "format"],
    ["ECDSA that is not DER (P-384)", ana, (digest) => raw(ana, digest), "format"],
    ["with a byte more (RSA)", maria, (digest) => trailing(signedBy(maria, digest)), "format"],
    ["with a byte more (ECDSA)", joao, (digest) => trailing(signedBy(joao, digest)), "format"],
    ["with a byte more, inside", joao, (digest) => inside(digest), "mismatch"],
    ["with a byte less", maria, (digest) => signedBy(maria, digest).subarray(1), "format"],
    ["that is nothing", ana, () => Buffer.alloc(0), "format"],
  ];
  const others = { rsa: authority.signer("Another", "RSA 2048"), ec: authority.signer("Another", "P-256") };
  /** The sequence takes one byte more, after its numbers. */
  const inside = (digest: Buffer) => {
    let signature = signedBy(joao, digest);
    while (signature.length === 72) signature = signedBy(joao, digest);
    signature = trailing(signature);
    signature[1] = signature.length - 2;
    return signature;
  };

  test.each(faults)("%s", async (_, signer, signature, reason) => {
    const { update } = await preparedOnce(signer);
    expect(() => finished(signer, update, signature)).toThrow(new SignatureRefused(reason as never));
    expect(finished(signer, update).length).toBe(withText.length + update.length);
  });

  test("and one that is shorter leaves zeros in the room", async () => {
    const { update, digest } = await preparedOnce(joao);
    let signature = signedBy(joao, digest);
    while (signature.length === 72) signature = signedBy(joao, digest);
    const file = finishSignature({ pdf: withText, update, chain: joao.chain, signature });
    expect(validFields(file)).toEqual(["one"]);
    expect(file.toString("latin1")).toMatch(/00>\n\/M/);
  });
});

describe("a process that lies about what it adds", () => {
  test("gets no signature: the room is where the byte range says, empty, in what it added, and all else is signed", async () => {
    const { update, digest } = await preparedOnce(maria);
    const text = update.toString("latin1");
    const [, start = "", end = "", rest = ""] = /\[0 (\d+) +(\d+) +(\d+)/.exec(text) ?? [];
    const range = (one: number, two: number, three: number) =>
      text.replace(/\/ByteRange \[[^\]]*\]/, (whole) => `/ByteRange [0 ${one} ${two} ${three}]`.padEnd(whole.length));
    const [from, to, left] = [Number(start), Number(end), Number(rest)];
    const lies: Record<string, string> = {
      "less at the end": range(from, to, left - 10),
      "more than the file": range(from, to, left + 10),
      "a room in the PDF": range(5, 20, withText.length + update.length - 20),
      "a larger room": range(from - 10, to, left),
      "a room that ends later": range(from, to + 10, left - 10),
      "a smaller room": range(from + 2, to, left),
      "a room before it": `<0000>${range(withText.length, withText.length + 6, update.length)}`,
      "a room that is not empty": text.replace("/Contents <00", "/Contents <01"),
      "a room with something else": text.replace("/Contents <00", "/Contents <()"),
      "a beginning that is not signed": text.replace("/ByteRange [0", "/ByteRange [1"),
      "bytes after it": `${text}\n`,
      "another byte range after it": `${text}% /ByteRange [0 1 2 3]`,
      "no byte range": text.replace("/ByteRange", "/ByteLange"),
      nothing: "",
    };
    const signature = signedBy(maria, digest);
    for (const [lie, told] of Object.entries(lies)) {
      const given = { pdf: withText, update: Buffer.from(told, "latin1"), chain: maria.chain, signature };
      expect(() => finishSignature(given), lie).toThrow(SealingFailed);
    }
    expect(validFields(finishSignature({ pdf: withText, update, chain: maria.chain, signature }))).toEqual(["one"]);
  });

  test("and one that changes what it adds afterwards is not what was signed", async () => {
    const { update, digest } = await preparedOnce(maria);
    const other = Buffer.from(update.toString("latin1").replace("/F 132", "/F 130"), "latin1");
    const given = { pdf: withText, update: other, chain: maria.chain, signature: signedBy(maria, digest) };
    expect(() => finishSignature(given)).toThrow(new SignatureRefused("mismatch"));
  });
});

describe("what is drawn before the first signature", () => {
  const stamps = twoStamps({ across: 612, down: 792 });

  test("is an update without a signature, the same each time, and stays under signatures", async () => {
    const drawn = await drawStamps({ pdf: withText, stamps });
    expect((await drawStamps({ pdf: withText, stamps })).equals(drawn)).toBe(true);
    expect(drawn.subarray(0, withText.length).equals(withText)).toBe(true);
    expect(isSound(drawn)).toBe(true);
    expect(signaturesOf(drawn)).toEqual([]);
    expect(run({ "a.pdf": drawn }, "pdftotext", "a.pdf", "-").said).toContain("Maria de Souza");
    const signed = await signedPdf(joao, { pdf: drawn, field: FIELDS[0], emptyFields: [SEAL], certify: true });
    expect(validFields(await seal(signed, SEAL))).toEqual([FIELDS[0], SEAL]);
  });

  test("is nothing where there is nothing to draw", async () => {
    expect((await drawStamps({ pdf: withText, stamps: [] })).equals(withText)).toBe(true);
  });
});
