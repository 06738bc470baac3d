// Sealed PDFs, as pdfsig, OpenSSL and qpdf see them.
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { makeSealCertificate, sealCertificateId } from "../../../src/adapters/pdf-seal/certificate.ts";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import { sealPdf } from "../../../src/adapters/pdf-seal/seal-pdf.ts";
import { SealingFailed } from "../../../src/adapters/pdf-seal/sealing-failed.ts";
import { flate, ONE_PAGE, objectStream, onePage, pdf, stream } from "../pdf-check/pdf-file.ts";
import { placesOf, some, unnoticed, unnoticedByReaders } from "./flips.ts";
import { kinds, manyPages, qpdf, withText } from "./kinds.ts";
import { AT, aKey, isSound, OURS, opensslSays, run, seal, signatureOf, signaturesOf } from "./seal-stage.ts";

let key: SealKey;
/** Of somebody else. */
let another: SealKey;
let sealed: Buffer;
const SMALL = pdf(ONE_PAGE);
beforeAll(async () => {
  [key, another] = [await aKey(), await aKey()];
  sealed = await seal(key, SMALL);
});

describe("a certificate", () => {
  test("is RSA 3072, for two years, for signatures alone, and named after the installation", async () => {
    const now = new Date("2026-11-23T10:00:00.5Z");
    for (const [environment, name] of [
      ["test", "Selo Padaria São João (TEST)"],
      ["live", "Selo Padaria São João"],
    ] as const) {
      const { certificate, notAfter } = await makeSealCertificate("Padaria São João", environment, now);
      const read = new X509Certificate(certificate);
      expect([read.subject, read.issuer]).toEqual([`CN=${name}`, `CN=${name}`]);
      expect(read.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 });
      expect([read.validFromDate, read.validToDate]).toEqual([new Date("2026-11-23T09:00:00Z"), notAfter]);
      expect(notAfter).toEqual(new Date("2028-11-23T09:00:00Z"));
      expect(read.verify(read.publicKey)).toBe(true);
      const { said } = run({ c: certificate }, "openssl", "x509", "-inform", "DER", "-in", "c", "-noout", "-text");
      expect(said).toMatch(/Key Usage: critical\s+Digital Signature, Non Repudiation\n/);
      expect(said).toMatch(/Basic Constraints: critical\s+CA:FALSE/);
      expect(sealCertificateId(certificate)).toBe(
        `rsa-3072-${read.fingerprint256.replaceAll(":", "").toLowerCase().slice(0, 16)}`,
      );
    }
  });

  test("names no more than 64 characters", async () => {
    const { certificate } = await makeSealCertificate("x".repeat(200), "test");
    expect(new X509Certificate(certificate).subject).toBe(`CN=Selo ${"x".repeat(52)} (TEST)`);
  });
});

describe("a sealed PDF", () => {
  test("is valid for pdfsig, OpenSSL and qpdf, and begins with the bytes of the PDF", () => {
    expect(signaturesOf(sealed)).toEqual([OURS]);
    expect(opensslSays(sealed, key.certificate)).toBe("CAdES Verification successful");
    expect(isSound(sealed)).toBe(true);
    expect(sealed.subarray(0, SMALL.length).equals(SMALL)).toBe(true);
  });

  test("has the time of the seal in its dictionary, and in no attribute", () => {
    expect(sealed.toString("latin1")).toContain("/M (D:20261123100000Z)");
    const { said } = run({ c: signatureOf(sealed).cms }, "openssl", "asn1parse", "-inform", "DER", "-in", "c");
    expect(said).toContain("id-smime-aa-signingCertificateV2");
    expect(said).not.toContain("signingTime");
  });

  test("has the same bytes each time, and others for another time, PDF or key", async () => {
    expect((await seal(key, SMALL)).equals(sealed)).toBe(true);
    const input = { pdf: SMALL, at: AT, reason: "Envelope ABCD-EFGH-JKLM" };
    expect((await sealPdf({ ...input, at: new Date(0) }, key)).equals(sealed)).toBe(false);
    expect((await sealPdf(input, another)).equals(sealed)).toBe(false);
  });

  test("shows a flipped byte of every part (all of them: seal-pdf.full.test.ts)", () => {
    const { outside, inside } = placesOf(sealed);
    expect(outside.length).toBeGreaterThan(300);
    expect(unnoticed(sealed, key.certificate, some(outside, 24))).toEqual([]);
    expect(unnoticedByReaders(sealed, key.certificate, [...some(outside, 3), ...some(inside, 5)])).toEqual([]);
  });
});

/** A signature of somebody else, over a PDF. */
async function signedByAnother(file: Buffer): Promise<Buffer> {
  return sealPdf({ pdf: file, at: new Date("2026-01-01T00:00:00Z"), reason: "Another" }, another);
}

describe("PDFs of all kinds are sealed and valid", () => {
  const emptySignature = pdf(
    onePage({
      catalog: "/AcroForm << /Fields [4 0 R] /SigFlags 1 >>",
      page: "/Annots [4 0 R]",
      objects: { 4: "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Selo) /Rect [10 10 200 30] /P 3 0 R >>" },
    }),
  );
  test.each(kinds)("%s", async (_, file) => {
    const made = await seal(key, file);
    expect(signaturesOf(made)).toEqual([OURS]);
    expect(isSound(made)).toBe(true);
  });

  test("with an empty signature field of our name: it stays empty", async () => {
    const made = await seal(key, emptySignature);
    expect(signaturesOf(made).filter(({ isValid }) => isValid)).toEqual([{ ...OURS, field: "Selo 2" }]);
  });

  test("with thousands of fields that have our names: the name is found at once, not by comparing each with each", async () => {
    const fields = Array.from({ length: 4_000 }, (_, place) => 20 + place);
    const named = Object.fromEntries(
      fields.map((object, place) => [object, `<< /FT /Tx /T (Selo ${place + 2}) /V () >>`]),
    );
    const file = pdf(
      onePage({
        objects: { ...named, 19: "<< /FT /Tx /T (Selo) /V () >>" },
        catalog: `/AcroForm << /Fields [19 0 R ${fields.map((object) => `${object} 0 R`).join(" ")}] >>`,
      }),
    );
    expect(signaturesOf(await seal(key, file))).toEqual([{ ...OURS, field: "Selo 4002" }]);
  });

  test("with signatures: those stay valid, also under object streams and linearized", async () => {
    const options = [[], ["--object-streams=generate"], ["--linearize"]];
    for (const some of options) {
      const before = some.length === 0 ? withText : qpdf(withText, ...some, "--deterministic-id");
      const twice = await seal(key, await signedByAnother(before));
      expect(signaturesOf(twice)).toEqual([
        { ...OURS, isTotal: false },
        { ...OURS, field: "Selo 2" },
      ]);
    }
  });

  test("a file that its reader would have to repair is not sealed", async () => {
    const broken = Buffer.from(withText.toString("latin1").replace(/startxref\n\d+/, "startxref\n7"), "latin1");
    await expect(seal(key, broken)).rejects.toThrow(SealingFailed);
    await expect(seal(key, Buffer.from("%PDF-1.7\nnothing"))).rejects.toThrow(SealingFailed);
  });
});

describe("the process that reads the PDF", () => {
  test("has no environment, no descriptor and no file of ours, and is told no key", async () => {
    // By process: what each look found. Between fork and exec a child still shows what the parent was started with.
    const seen = new Map<string, { environ: string; fds: string[]; args: string }[]>();
    const before = process.env["SELO_SECRET_OF_A_TEST"];
    process.env["SELO_SECRET_OF_A_TEST"] = "secret";
    const sealing = seal(key, manyPages(2000));
    const ended = sealing.then(
      () => true,
      () => true,
    );
    try {
      while (!(await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5, false))]))) {
        for (const pid of children()) {
          try {
            const folder = `/proc/${pid}`;
            const args = fs.readFileSync(`${folder}/cmdline`, "latin1");
            if (!args.includes("--permission")) continue;
            const environ = fs.readFileSync(`${folder}/environ`, "latin1");
            const fds = fs.readdirSync(`${folder}/fd`).map((fd) => `${fd} ${fs.readlinkSync(`${folder}/fd/${fd}`)}`);
            seen.set(pid, [...(seen.get(pid) ?? []), { environ, fds, args }]);
          } catch {
            // It has ended, or closed a descriptor meanwhile: the next look finds what it keeps.
          }
        }
      }
    } finally {
      if (before === undefined) delete process.env["SELO_SECRET_OF_A_TEST"];
    }
    await sealing;
    const most = [...seen.values()].sort((a, b) => b.length - a.length)[0] ?? [];
    expect(most.length).toBeGreaterThan(3);
    const der = key.key.export({ format: "der", type: "pkcs8" }).toString("latin1");
    for (const { environ, args } of [...seen.values()].flat()) {
      expect(environ).toBe("");
      expect(args).not.toContain("--allow-fs-write");
      expect(args).not.toContain(der);
    }
    // What a process is given it keeps. The files that the loader, Node and OpenSSL read as they start are soon closed.
    const kept = (most[0]?.fds ?? []).filter((fd) => most.every(({ fds }) => fds.includes(fd)));
    expect(kept.length).toBeGreaterThanOrEqual(3);
    expect(kept.filter((fd) => !/^\d+ ((pipe|socket|anon_inode):|\/dev\/null$)/.test(fd))).toEqual([]);
  });

  test("may not read what is ours", () => {
    const folders = ["/src/main", "/.env", "/data"];
    const program = `for (const each of ${JSON.stringify(folders)}) if (process.permission.has("fs.read", process.argv[1] + each)) throw new Error(each);
      for (const each of ["fs.write", "child", "worker", "addon"]) if (process.permission.has(each)) throw new Error(each);`;
    const allowed = [`${process.cwd()}/src/adapters`, `${process.cwd()}/node_modules`];
    execFileSync(process.execPath, [
      "--permission",
      ...allowed.map((folder) => `--allow-fs-read=${folder}`),
      "--eval",
      program,
      process.cwd(),
    ]);
  });

  test("ends at its limits and at the signal, and the complaint has nothing of the document", async () => {
    const input = { pdf: SMALL, at: AT, reason: "x" };
    await expect(sealPdf(input, key, { limits: { wallSeconds: 0.01 } })).rejects.toThrow(/came to no result.*wall/);
    await expect(sealPdf(input, key, { limits: { residentBytes: 20 * 1024 * 1024 } })).rejects.toThrow(SealingFailed);
    await expect(sealPdf(input, key, { signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/);
    const personal = pdf(onePage({ catalog: "/AcroForm << /Fields [(Maria Souza)] >>" })).toString("latin1");
    const broken = Buffer.from(personal.replace(/startxref\n\d+/, "startxref\n20"), "latin1");
    const failure = await seal(key, broken).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(SealingFailed);
    expect(String(failure)).not.toContain("Maria");
  });

  test("needs less than 1 GiB for a PDF of 50 MiB", async () => {
    const file = pdf(onePage({ page: "/Contents 4 0 R", objects: { 4: flate("", Buffer.alloc(10)) } }));
    const filler = pdf(
      onePage({ objects: { 4: stream("", Buffer.alloc(49 * 1024 * 1024, 0x41)), 5: objectStream({ 6: "<< >>" }) } }),
    );
    expect(file.length).toBeLessThan(10_000);
    expect(signaturesOf(await seal(key, filler))).toEqual([OURS]);
  }, 120_000);
});

function children(): string[] {
  try {
    return fs
      .readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean);
  } catch {
    return [];
  }
}
