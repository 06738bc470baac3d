// Signatures of PDFs, as pdfsig and openssl see them: issue "Signature in depth" §6.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partsOf, readDer } from "../../../src/adapters/certificates/der.ts";
import { readSignatures } from "../../../src/adapters/pdf-signatures/read-signatures.ts";
import { der } from "../../../src/adapters/time-stamp/der.ts";
import { byLane } from "../../support/lane.ts";
import { rsaKey } from "../certificates/pkcs12-files.ts";
import { onePage, pdf, pdfWithStreams, pieces } from "../pdf-check/pdf-file.ts";
import { kinds, withText } from "../pdf-seal/kinds.ts";
import { aKey, seal } from "../pdf-seal/seal-stage.ts";
import { CPF, curveKey, issue } from "../signer-certificate/authority.ts";
import { OpensslStage } from "../time-stamp/authority-stage.ts";
import { authorities, cmsOf, derOf, holder, NOW, oracles, root, said, seen, signed } from "./signed-pdf.ts";

const maria = holder();
const rsa = holder(rsaKey());
const one = signed(maria);
const DETACHED = "adbe.pkcs7.detached";

test("a signature says whose it is, and that it holds", async () => {
  expect(await said(one)).toMatchObject([
    {
      format: "ETSI.CAdES.detached",
      integrity: "valid",
      coversWholeFile: true,
      signer: { name: "MARIA SOUZA", cpf: CPF, issuer: "C=BR, O=ICP-Brasil, CN=Raiz" },
      timestamp: "none",
      judged: { name: "MARIA SOUZA", path: [derOf(maria), derOf(root)] },
    },
  ]);
  // Without attributes the dictionary alone says when.
  const noTime = await said(signed(rsa, { format: DETACHED, options: ["-noattr"] }), { authorities: [] });
  expect(noTime).toMatchObject([{ signedAt: new Date("2026-11-01T15:00:00Z"), judged: null }]);
  // Somebody else's certificate of the same names.
  const forger = holder();
  const [forged] = (await said(signed(forger), { authorities: authorities.slice(1) })) as object[];
  expect(forged).toMatchObject({ integrity: "valid", judged: null });
});

/** The outer values with unknown lengths, as streaming programs write them. */
function inBer(cms: Buffer): Buffer {
  const open = (tag: number, ...content: Buffer[]) =>
    Buffer.concat([Buffer.of(tag, 0x80), ...content, Buffer.alloc(2)]);
  const [type, wrapped] = partsOf(readDer(cms));
  const [data] = wrapped ? partsOf(wrapped) : [];
  if (!type || !data) throw new Error("it is no signed data");
  return open(0x30, type.whole, open(0xa0, open(0x30, ...partsOf(data).map(({ whole }) => whole))));
}

test("signatures of each algorithm and form are judged as pdfsig and openssl judge them", async () => {
  const p384 = holder(curveKey("P-384"));
  const files: Record<string, Buffer> = {
    RSA: signed(rsa),
    "RSA-PSS": signed(rsa, { options: ["-cades", "-keyopt", "rsa_padding_mode:pss"] }),
    "P-384": signed(p384, { options: ["-cades", "-md", "sha384"] }),
    "P-521": signed(holder(curveKey("P-521")), { options: ["-cades", "-md", "sha512"] }),
    "without attributes": signed(rsa, { format: DETACHED, options: ["-noattr"] }),
    "unknown lengths": signed(rsa, { sign: (content) => inBer(cmsOf(content, rsa)) }),
    "/Contents before /ByteRange": signed(maria, {
      dict: (range, contents) =>
        `<< /Contents ${contents}\n/ByteRange ${range}\n/SubFilter/ETSI.CAdES.detached/Type/Sig>>`,
    }),
    "an update of a signed file": signed(p384, { before: one, numbers: [6, 7], fields: "4 0 R" }),
  };
  for (const [name, kind] of kinds.slice(2, 4)) files[name] = await sealed(kind);
  const found = await Promise.all(Object.values(files).map((file) => seen(file)));
  const last = found.map((each) => each.split(", ").at(-1));
  expect(Object.fromEntries(Object.keys(files).map((name, place) => [name, last[place]]))).toEqual(
    Object.fromEntries(Object.keys(files).map((name) => [name, "valid"])),
  );
  const openssl = oracles(Object.values(files), [root, seals]);
  expect(openssl).toEqual(openssl.map(() => ({ pdfsig: true, openssl: true })));
  // An earlier signature covers its own revision.
  expect(found[Object.keys(files).indexOf("an update of a signed file")]).toBe("valid in part, valid");

  // Sound, and nobody should rely on it: or nobody looked.
  const weak = {
    "SHA-1": signed(rsa, { format: DETACHED, options: ["-md", "sha1"] }),
    "RSA 1024": signed(holder(rsaKey(1024))),
    "SHA-1 of old": signed(rsa, { format: "adbe.x509.rsa_sha1" }),
    unknown: signed(rsa, { format: "Somebody.Own" }),
  };
  for (const [name, file] of Object.entries(weak)) expect([name, await seen(file)]).toEqual([name, "not_checked"]);
});

let seals: { readonly key: string; readonly certificate: string };
const key = await aKey();
seals = {
  key: "",
  certificate: `-----BEGIN CERTIFICATE-----\n${key.certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
};
const sealed = (file: Buffer) => seal(key, file);

/** The file with other bytes. */
function changed(file: Buffer, from: string | RegExp, to: (found: string) => string): Buffer {
  return Buffer.from(file.toString("latin1").replace(from, to), "latin1");
}

const RANGE = /(?<=\/ByteRange )\[0 (\d+) +(\d+) +(\d+) *\]/;
const ranged = (file: Buffer, range: (start: number, resume: number, rest: number) => readonly number[]) =>
  Buffer.from(
    file.toString("latin1").replace(RANGE, (found, ...numbers: string[]) => {
      const [start = 0, resume = 0, rest = 0] = numbers.map(Number);
      return `${`[${range(start, resume, rest).join(" ")}`.padEnd(found.length - 1)}]`;
    }),
    "latin1",
  );
const contentsOf = (file: Buffer) => {
  const [, start = 0, resume = 0] = (RANGE.exec(file.toString("latin1")) ?? []).map(Number);
  return { start, resume, hex: file.toString("latin1", start + 1, resume - 1) };
};
const cms = Buffer.from(contentsOf(one).hex, "hex");
const cmsBytes = cms.subarray(0, 4 + cms.readUInt16BE(2));

/** Signed with a byte range that says so: the signature itself is right. */
const falsely = (
  range: (start: number, resume: number, rest: number) => readonly number[],
  cut: (file: Buffer, ...numbers: number[]) => Buffer,
) => {
  const file = ranged(signed(maria, { sign: () => Buffer.alloc(1) }), range);
  const numbers = (/ByteRange \[([\d ]+)\]/.exec(file.toString("latin1"))?.[1] ?? "").trim().split(/ +/).map(Number);
  const { start } = contentsOf(one);
  file.write(cmsOf(cut(file, ...numbers), maria).toString("hex"), start + 1, "latin1");
  return file;
};

test("a signature that signs something else than the file around it is invalid", async () => {
  const other = signed(maria, { more: "/Reason (other)" });
  const files: Record<string, Buffer> = {
    "a changed byte": changed(one, "612", () => "613"),
    "of another file": changed(other, contentsOf(other).hex, () => contentsOf(one).hex),
    "a range that begins later": ranged(one, (start, resume, rest) => [1, start - 1, resume, rest]),
    "a range that leaves the file": ranged(one, (start, resume, rest) => [0, start, resume, rest + 1]),
    "a range that ends before the dictionary": falsely(
      (start, resume) => [0, start, resume, 1],
      (file, _, start = 0, resume = 0, rest = 0) =>
        Buffer.concat([file.subarray(0, start), file.subarray(resume, resume + rest)]),
    ),
    "parts that overlap": falsely(
      (start, resume, rest) => [0, start, start - 10, rest + resume - start + 10],
      (file, _, start = 0, resume = 0) => Buffer.concat([file.subarray(0, start), file.subarray(resume)]),
    ),
    "a larger gap": falsely(
      (start, resume, rest) => [0, start - 1, resume, rest],
      (file, _, start = 0, resume = 0) => Buffer.concat([file.subarray(0, start), file.subarray(resume)]),
    ),
    "three numbers": ranged(one, (start, resume) => [0, start, resume]),
    "two signatures, one behind the other": signed(maria, {
      sign: (content) => Buffer.concat([cmsOf(content, maria), cmsOf(content, rsa)]),
    }),
    "two signers in one": signed(maria, { sign: (content) => twoSigners(content) }),
    "no signer": signed(maria, { sign: () => withoutSigner(cmsBytes) }),
    "content of its own": signed(maria, { sign: (content) => cmsOf(content.subarray(0, 100), maria, ["-nodetach"]) }),
    "another certificate of the same key": signed(maria, { sign: (content) => swapped(cmsOf(content, maria)) }),
    nothing: signed(maria, { sign: () => Buffer.of(0) }),
    "a text of letters": changed(one, /\/Contents <[0-9a-f]+>/, (found) => `/Contents (${found.slice(11, -1)})`),
    deep: signed(maria, { sign: () => deep(900) }),
  };
  for (const [name, file] of Object.entries(files))
    expect([name, (await seen(file)).split(" ")[0]]).toEqual([name, "invalid"]);
  // What both others take, Selo refuses for a reason: what is not signed, or who signed it, would be open.
  const found = oracles(Object.values(files));
  const taken = Object.keys(files).filter((_, place) => found[place]?.pdfsig && found[place].openssl);
  expect(taken).toEqual([
    "a range that ends before the dictionary",
    "two signatures, one behind the other",
    "two signers in one",
    "another certificate of the same key",
  ]);
});

/** Of two signers, where each signature is right. */
const twoSigners = (content: Buffer): Buffer => {
  const [first, second] = [cmsOf(content, maria), cmsOf(content, maria)].map((each) => {
    const [, wrapped] = partsOf(readDer(each));
    const [data] = wrapped ? partsOf(wrapped) : [];
    return data ? partsOf(data) : [];
  });
  const signers = [first?.at(-1)?.content ?? Buffer.alloc(0), second?.at(-1)?.content ?? Buffer.alloc(0)];
  return wrappedData([...(first ?? []).slice(0, -1).map(({ whole }) => whole), der(0x31, ...signers)]);
};
const wrappedData = (members: readonly Buffer[]) =>
  der(0x30, Buffer.from("06092a864886f70d010702", "hex"), der(0xa0, der(0x30, ...members)));
const membersOf = (bytes: Buffer) => {
  const [, wrapped] = partsOf(readDer(bytes));
  const [data] = wrapped ? partsOf(wrapped) : [];
  return data ? partsOf(data).map(({ whole }) => whole) : [];
};
const withoutSigner = (bytes: Buffer) => wrappedData([...membersOf(bytes).slice(0, -1), der(0x31)]);
/** The key's other certificate, of the same issuer and number. */
const twin = holder(maria.key);
function swapped(bytes: Buffer): Buffer {
  const members = membersOf(bytes);
  const info = Buffer.from(members.at(-1) ?? []);
  const [own, others] = [serialOf(maria), serialOf(twin)];
  const at = info.indexOf(own);
  others.copy(info, at);
  return wrappedData([...members.slice(0, 3), der(0xa0, derOf(twin)), info]);
}
function serialOf(made: { readonly certificate: string }): Buffer {
  const [body] = partsOf(readDer(derOf({ key: "", ...made })));
  const serial = body ? partsOf(body)[1] : undefined;
  if (!serial) throw new Error("there is no serial");
  return serial.whole;
}
function deep(levels: number): Buffer {
  let bytes: Buffer = Buffer.alloc(0);
  for (let level = 0; level < levels; level++) bytes = der(0x30, bytes);
  return bytes;
}

test("what a file has behind a signature, in an object stream, or in circles", async () => {
  expect(await seen(Buffer.concat([one, Buffer.from("\n")]))).toBe("valid in part");
  expect(await seen(pdf({ 3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>" }, { before: one }))).toBe(
    "valid in part",
  );
  // The dictionary is compressed: what the range leaves out stands elsewhere.
  const streamed = pdfWithStreams(
    { ...onePage({ catalog: "/AcroForm << /Fields [4 0 R] >>" }), 6: `<${"00".repeat(99)}>` },
    {
      4: "<< /FT /Sig /T (a) /V 5 0 R /Kids [4 0 R 4 0 R] >>",
      5: "<< /Type /Sig /SubFilter /ETSI.CAdES.detached /ByteRange [0 9 9 9] /Contents <00> >>",
    },
  );
  expect(await seen(streamed)).toBe("invalid in part");
  // Two fields of one signature, each a kid of the other.
  const circles = signed(maria, { fields: "4 0 R 4 0 R", kids: "/Kids [4 0 R 3 0 R]" });
  expect(await seen(circles)).toBe("valid");
  expect(await seen(withText)).toBe("");
  expect(await seen(Buffer.from("no PDF"))).toBe("");
});

test("a negative number of a certificate, and times of years without four digits, have an answer", async () => {
  const odd = issue({ subject: "/CN=Odd", serial: "-5", extensions: [] });
  expect(await said(signed(odd))).toMatchObject([{ integrity: "valid", signer: { name: "Odd", serial: "-05" } }]);
  for (const time of ["D:99991231235959-12'00'", "D:00000101000000+12'00'"]) {
    const dict = (range: string, contents: string) =>
      `<< /Type /Sig /SubFilter /${DETACHED} /ByteRange ${range} /Contents ${contents} /M (${time}) >>`;
    const [told] = (await said(signed(rsa, { format: DETACHED, options: ["-noattr"], dict }))) as object[];
    expect(told).toMatchObject({ integrity: "valid", signedAt: null });
  }
});

test("files that get no answer", async () => {
  const many = (count: number) => {
    const numbers = Array.from({ length: count }, (_, place) => 10 + place);
    return pdf(
      onePage({
        catalog: `/AcroForm << /Fields [${numbers.map((each) => `${each} 0 R`).join(" ")}] >>`,
        objects: Object.fromEntries(
          numbers.map((each) => [
            each,
            "<< /FT /Sig /T (a) /V << /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >> >>",
          ]),
        ),
      }),
    );
  };
  expect((await seen(many(100))).split(", ")).toHaveLength(100);
  const files: Record<string, Buffer> = {
    too_many_signatures: many(101),
    encrypted: pdf(onePage(), { trailer: "/Encrypt << /Filter /Standard >>" }),
    damaged: one.subarray(0, -7),
  };
  for (const [refusal, file] of Object.entries(files))
    expect([await seen(file), await said(file)]).toEqual([refusal, refusal]);
  expect(await seen(Buffer.concat([Buffer.from("GIF89a"), one]))).toBe("damaged");
  const bomb = pdf(onePage({ catalog: "/AcroForm 4 0 R", objects: { 4: "[".repeat(500) + "]".repeat(500) } }));
  expect(await said(bomb)).toBe("too_large");
  const slow = readSignatures(
    pieces(one),
    { authorities, stampRoots: [] },
    { bytes: one.length, now: NOW, limits: { cpuSeconds: 0 } },
  );
  expect(await slow).toEqual({ refused: "too_large" });
});

/** The signature with one more unsigned attribute. */
function withUnsigned(cms: Buffer, attribute: Buffer): Buffer {
  const members = membersOf(cms);
  const [info] = partsOf(readDer(members.at(-1) ?? Buffer.alloc(0)));
  const parts = info ? partsOf(info).map(({ whole }) => whole) : [];
  return wrappedData([...members.slice(0, -1), der(0x31, der(0x30, ...parts, der(0xa1, attribute)))]);
}

test("what other programs leave in a signature and behind it", async () => {
  // A list of revoked certificates: thousands of parts.
  const listed = der(
    0x30,
    Buffer.from("06092a864886f72f010108", "hex"),
    der(0x31, der(0x30, Buffer.alloc(60_000, Buffer.of(5, 0)))),
  );
  const long = signed(maria, { room: 80_000, sign: (content) => withUnsigned(cmsOf(content, maria), listed) });
  const behind = (...bytes: Buffer[]) =>
    signed(maria, { sign: (content) => Buffer.concat([cmsOf(content, maria), ...bytes]) });
  const left = behind(Buffer.from("left in the memory of a program"));
  // The content that it should not have is not what it signs.
  const content = signed(maria, {
    sign: (signs) => {
      const members = membersOf(cmsOf(signs, maria));
      const data = Buffer.from("06092a864886f70d010701", "hex");
      const brought = der(0x30, data, der(0xa0, der(0x04, Buffer.from("more"))));
      return wrappedData([...members.slice(0, 2), brought, ...members.slice(3)]);
    },
  });
  const files = [long, left, content];
  expect(await Promise.all(files.map((file) => seen(file)))).toEqual(["valid", "not_checked", "not_checked"]);
  expect(oracles(files)).toEqual([true, true, false].map((pdfsig) => ({ pdfsig, openssl: true })));
  expect(await seen(behind(Buffer.from("then"), cmsBytes))).toBe("invalid");
});

test("a signature of 10 MB is not read", async () => {
  const long = signed(maria, { room: 10_000_000, sign: () => der(0x30, der(0x04, Buffer.alloc(9_000_000, 1))) });
  expect(await seen(long)).toBe("not_checked");
  // Many parts in less.
  const parts = signed(maria, { room: 1_000_000, sign: () => der(0x30, Buffer.alloc(900_000, Buffer.of(5, 0))) });
  expect(await seen(parts)).toBe("not_checked");
});

describe("time stamps", () => {
  let stage: OpensslStage;
  beforeAll(() => {
    stage = new OpensslStage();
    stage.issue("authority", "authority");
  });
  afterAll(() => stage.end());
  const rootOfStage = () => {
    const [, base64 = ""] = /-----BEGIN CERTIFICATE-----([^-]+)/.exec(stage.read("root.pem").toString()) ?? [];
    return Buffer.from(base64, "base64");
  };
  const token = (data: Buffer) => {
    const [, made] = partsOf(readDer(stage.reply(stage.queryFor(data))));
    if (!made) throw new Error("there is no token");
    return made.whole;
  };
  /** The signature with a token over its value, or over other bytes. */
  const stamped = (content: Buffer, of?: Buffer): Buffer => {
    const signature = cmsOf(content, maria);
    const [info] = partsOf(readDer(membersOf(signature).at(-1) ?? Buffer.alloc(0)));
    const value = (info && partsOf(info).at(-1)?.content) ?? Buffer.alloc(0);
    const attribute = der(0x30, Buffer.from("060b2a864886f70d010910020e", "hex"), der(0x31, token(of ?? value)));
    return withUnsigned(signature, attribute);
  };

  test("are valid by a trusted authority, invalid over other bytes, and not checked otherwise", async () => {
    const roots = [rootOfStage()];
    const file = signed(maria, { sign: (content) => stamped(content) });
    expect(oracles([file])).toEqual([{ pdfsig: true, openssl: true }]);
    expect([await seen(file, roots), await seen(file)]).toEqual(["valid valid", "valid not_checked"]);
    const wrong = signed(maria, { sign: (content) => stamped(content, Buffer.from("other")) });
    expect([await seen(wrong, roots), await seen(wrong)]).toEqual(["valid invalid", "valid invalid"]);
    const [at] = (await said(file, { stampRoots: roots })) as { signedAt: Date }[];
    expect(Math.abs((at?.signedAt.getTime() ?? 0) - NOW.getTime())).toBeLessThan(600_000);

    // Of a whole document.
    const document = signed(maria, { format: "ETSI.RFC3161", sign: token });
    expect([await seen(document, roots), await seen(document)]).toEqual(["valid valid", "valid not_checked"]);
    expect(
      await seen(
        changed(document, "612", () => "613"),
        roots,
      ),
    ).toBe("invalid invalid");
  });
});

test("a set of certificates with something else in it is no signed data, as openssl sees it", async () => {
  const tag = /30820[0-9a-f]{3}30820[0-9a-f]{3}a003020102/;
  const file = changed(one, tag, (certificate) => `31${certificate.slice(2)}`);
  expect(file.equals(one)).toBe(false);
  expect([await seen(file), oracles([file])[0]?.openssl]).toEqual(["invalid", false]);
});

/** So many places of each region: before the signature, in it, in the room behind it, after it. */
function places(file: Buffer, count: number): number[] {
  const { start, resume } = contentsOf(file);
  const used = start + 1 + 2 * cmsBytes.length;
  const regions = [
    [0, start],
    [start, used],
    [used, resume],
    [resume, file.length],
  ] as const;
  return regions.flatMap(([from, to]) => {
    const many = Math.min(count, to - from);
    return Array.from({ length: many }, (_, index) => from + Math.floor(((to - from - 1) * index) / (many - 1)));
  });
}

/** Every byte, in full: the first signature has some 9,000. */
const FLIPS = byLane({ lane: 12, full: 10_000 });

test("a flipped byte is noticed where pdfsig or openssl notices it", { timeout: 3_600_000 }, async () => {
  const valid: Buffer[] = [];
  const of = places(one, FLIPS);
  for (const place of of) {
    const other = Buffer.from(one);
    other[place] = (other[place] ?? 0) ^ 1;
    if ((await seen(other)) === "valid") valid.push(other);
  }
  // In a certificate that the signature does not need, as both others see it.
  expect(valid.length).toBeLessThan(of.length / 8);
  const theirs = oracles(valid);
  expect(theirs).toEqual(theirs.map(() => ({ pdfsig: true, openssl: true })));
});
