/** The dossier of an envelope, checked by src/verifier alone, by the program that anyone can download, and by a Python program that was written from its README. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDossier } from "../../src/verifier/dossier.ts";
import { HYBRID_CHECKS } from "../../src/verifier/hybrid-signature.ts";
import { type PlatformKey, readKeys, UnreadableError } from "../../src/verifier/keys.ts";
import { verifyEnvelope } from "../../src/verifier/verify-envelope.ts";
import { complete, completing, decline, sentWith, storeContents } from "../services/signature/completion-stage.ts";
import { dossierOf, type Files, filesOf, unpacked, zipOf } from "../services/signature/dossier-stage.ts";
import { type EnvelopeStage, openStage } from "../services/signature/envelope-stage.ts";
import { command } from "../support/command.ts";
import { type Worker, workerOf } from "../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/rest-client.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
let zip: Buffer;
let files: Files;
let documentId: string;
let completedId: string;
let declined: Buffer;
let keysText: string;
let keys: readonly PlatformKey[];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-dossier-"));
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo, "live");
  worker = workerOf({ selo });
  const made = await sentWith(stage, [{}, { body: { name: "João Lima", email: "joao@example.com" } }]);
  for (const link of made.links) expect((await complete(stage, link)).status).toBe(200);
  await completing(stage, made.id, worker);
  documentId = made.documentId;
  completedId = made.id;
  zip = (await dossierOf(stage, made.id)).bytes;
  files = filesOf(zip);
  const other = await sentWith(stage);
  await storeContents(stage, other.id, worker);
  await decline(stage, other.links[0]);
  declined = (await dossierOf(stage, other.id)).bytes;
  keysText = (await call(selo, "GET", "/public/platform-key")).text;
  keys = readKeys(keysText);
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await worker.end();
  await selo.stop();
});

async function verified(bytes: Buffer, trusted: readonly PlatformKey[] | null = keys) {
  const read = async (start: number, end: number) => bytes.subarray(start, end);
  const dossier = await readDossier({ size: bytes.length, read }, () => createHash("sha256"));
  if (dossier === null) throw new Error("no dossier");
  return verifyEnvelope(HYBRID_CHECKS, dossier.evidence, dossier.files, trusted);
}
const failedOf = ({ checks }: Awaited<ReturnType<typeof verified>>) =>
  checks.filter(({ result }) => result === "failed").map(({ name }) => name);

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it
const withEvidence = (edit: (evidence: any) => void): Files => {
  const evidence = JSON.parse(String(files["evidence.json"]));
  edit(evidence);
  return { ...files, "evidence.json": Buffer.from(JSON.stringify(evidence)) };
};

/** What the Python program finds wrong. */
function byPython(bytes: Buffer): readonly string[] {
  for (const [name, content] of Object.entries({ "given.zip": bytes, "keys.json": keysText }))
    fs.writeFileSync(path.join(folder, name), content);
  const program = path.join(import.meta.dirname, "envelope_report.py");
  return JSON.parse(execFileSync("python3", [program, "given.zip", "keys.json"], { cwd: folder, encoding: "utf8" }))
    .faults;
}

/** What the program that anyone can download says. */
const run = (bytes: Buffer, ...more: readonly string[]) => {
  fs.writeFileSync(path.join(folder, "dossier.zip"), bytes);
  fs.writeFileSync(path.join(folder, "keys.json"), keysText);
  const program = path.resolve(import.meta.dirname, "../../dist/web/selo-verify.mjs");
  return spawnSync(process.execPath, [program, "dossier.zip", ...more], { cwd: folder, env: {}, encoding: "utf8" });
};

describe("the dossier of a completed envelope", () => {
  test("is proved, with all checks passed", async () => {
    const found = await verified(zip);
    expect([failedOf(found), found.verdict]).toEqual([[], "proved"]);
    expect(found.checks[0]).toEqual({ name: "file", result: "passed", reason: "files_named" });
    expect(byPython(zip)).toEqual([]);
  });

  test("is proved when somebody unpacked it and packed it anew, deflated", async () => {
    const { folder: unzipped, remove } = unpacked(zip);
    try {
      const program = "import shutil,sys\nshutil.make_archive(sys.argv[1], 'zip', '.')";
      execFileSync("python3", ["-c", program, path.join(folder, "anew")], { cwd: unzipped });
    } finally {
      remove();
    }
    const anew = fs.readFileSync(path.join(folder, "anew.zip"));
    expect((await verified(anew)).verdict).toBe("proved");
    expect(byPython(anew)).toEqual([]);
  });

  test("is not proved without the platform's keys", async () => {
    expect((await verified(zip, null)).verdict).toBe("not_proved");
  });

  test.each<[string, () => Files, readonly string[]]>([
    [
      "a sealed document is another one",
      () => ({ ...files, [`final/1-${documentId}.pdf`]: files["report.pdf"] ?? Buffer.alloc(0) }),
      ["file"],
    ],
    ["a document is missing", () => omit(`originals/1-${documentId}.pdf`), ["file"]],
    ["a file is there that nothing names", () => ({ ...files, "final/2-x.pdf": Buffer.from("x") }), ["file"]],
    [
      "the list of documents says another one",
      () =>
        withEvidence((evidence) => {
          evidence.documents[0].sha256 = "0".repeat(64);
        }),
      ["file"],
    ],
    ["an event is dropped", () => withEvidence((evidence) => void evidence.events.splice(2, 1)), ["events"]],
    [
      "two openings are swapped",
      () =>
        withEvidence(({ records: [one, other] }) => {
          [one.openings.name, other.openings.name] = [other.openings.name, one.openings.name];
        }),
      ["openings"],
    ],
    ["a record is gone", () => withEvidence((evidence) => void evidence.records.pop()), ["records"]],
  ])("fails where %s, though its digests were made anew", async (_, change, failed) => {
    const changed = await zipOf(change());
    const found = await verified(changed);
    expect([failedOf(found), found.verdict]).toEqual([failed, "failed"]);
    expect(byPython(changed)).not.toEqual([]);
  });

  test("fails where SHA256SUMS does not match, even for a file that nothing signed names", async () => {
    const changed = await zipOf({ ...files, "README.txt": Buffer.from("Trust me.") }, false);
    expect(failedOf(await verified(changed))).toEqual(["file"]);
    expect(byPython(changed)).not.toEqual([]);
  });

  test("is never proved with another byte in a file, and the Python program agrees", async () => {
    const starts = Object.entries(files).map(
      ([name, content]) => [name, zip.indexOf(content), content.length] as const,
    );
    for (const [place, [name, start, length]] of starts.entries()) {
      const flipped = Buffer.from(zip);
      const at = start + Math.floor(length / 2);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      // A ZIP has a checksum of each file.
      await expect(verified(flipped), name).rejects.toThrow(UnreadableError);
      if (place % 3 === 0) expect(byPython(flipped), name).not.toEqual([]);
    }
  });
});

const omit = (name: string): Files => Object.fromEntries(Object.entries(files).filter(([other]) => other !== name));

describe("the dossier of an envelope that was declined", () => {
  test("is checked as far as it goes, and is not proved", async () => {
    const found = await verified(declined);
    expect([failedOf(found), found.verdict]).toEqual([[], "not_proved"]);
    expect(found.checks[0]).toEqual({ name: "file", result: "not_checked", reason: "no_documents" });
    expect(byPython(declined)).toEqual([]);
  });

  test("fails with another document", async () => {
    const others = filesOf(declined);
    const [name = ""] = Object.keys(others).filter((each) => each.startsWith("originals/"));
    const changed = await zipOf({ ...others, [name]: Buffer.from("%PDF-1.7 another") });
    expect(failedOf(await verified(changed))).toEqual(["file"]);
    expect(byPython(changed)).not.toEqual([]);
  });
});

describe("the dossier of an envelope that ended, once it is sealed", () => {
  test("is proved: ended, not completed, whether somebody signed or nobody", async () => {
    const unsigned = await sentWith(stage);
    const signed = await sentWith(stage, [{}, { body: { name: "João Lima", email: "joao@example.com" } }]);
    const [first, second] = signed.links;
    await complete(stage, first);
    for (const { id } of [unsigned, signed]) await storeContents(stage, id, worker);
    await decline(stage, unsigned.links[0]);
    await decline(stage, second ?? first);
    await selo.seal();
    for (const { id } of [unsigned, signed]) {
      const { bytes } = await dossierOf(stage, id);
      const found = await verified(bytes);
      expect([failedOf(found), found.verdict]).toEqual([[], "proved"]);
      expect(byPython(bytes)).toEqual([]);
      // Its files were changed, and the digests made anew.
      const others = filesOf(bytes);
      const [name = ""] = Object.keys(others).filter((each) => each.startsWith("originals/"));
      const changed = await zipOf({ ...others, [name]: Buffer.from("%PDF-1.7 another") });
      expect(failedOf(await verified(changed))).toEqual(["file"]);
      const { "seal.json": seal, ...unsealed } = others;
      expect([seal === undefined, (await verified(await zipOf(unsealed))).verdict]).toEqual([false, "not_proved"]);
    }
    const { status, stdout } = run((await dossierOf(stage, unsigned.id)).bytes, "--keys", "keys.json");
    expect([status, stdout]).toEqual([0, expect.stringContaining("PROVED: ended, not completed: declined at")]);
  });

  test("of a completed one the seal is checked, too, and what came after the completion", async () => {
    await selo.seal();
    const { bytes } = await dossierOf(stage, completedId);
    const found = await verified(bytes);
    expect([failedOf(found), found.verdict]).toEqual([[], "proved"]);
    expect(found.checks.map(({ name }) => name)).toContain("seal");
    expect(byPython(bytes)).toEqual([]);
  });
});

describe("a hostile ZIP", () => {
  /** Files written by python3, which writes what it is told. */
  const written = (lines: string) => {
    const program = `import sys,zipfile,warnings\nwarnings.simplefilter("ignore")\nz=zipfile.ZipFile("bad.zip","w",zipfile.ZIP_DEFLATED)\n${lines}\nz.close()`;
    execFileSync("python3", ["-c", program], { cwd: folder });
    return fs.readFileSync(path.join(folder, "bad.zip"));
  };
  const entry = (name: string, content = "b'x'") => `z.writestr(${JSON.stringify(name)}, ${content})`;

  test.each([
    ["a name that leads out of its folder", entry("a/../../x"), "a name that leads elsewhere"],
    ["an absolute name", entry("/etc/x"), "a name that leads elsewhere"],
    [
      "a name with a backslash",
      "i=zipfile.ZipInfo('x'); i.filename='a\\\\\\\\x'; z.writestr(i, b'x')",
      "a name that leads elsewhere",
    ],
    ["two files of one name", `${entry("a")}\n${entry("a")}`, "has a name twice"],
    ["two files whose names differ in case", `${entry("a")}\n${entry("A")}`, "has a name twice"],
    ["a file and a folder of one name", `${entry("a")}\n${entry("a/", "b''")}`, "has a name twice"],
    ["a folder with content", entry("a/", "b'abc'"), "has a folder with content"],
    [
      "a link",
      "i=zipfile.ZipInfo('a'); i.external_attr=0o120777 << 16; z.writestr(i, b'/etc/passwd')",
      "is a link or a device",
    ],
    [
      "a second name, by which some programs unpack the file",
      "i=zipfile.ZipInfo('a'); i.extra=b'\\x75\\x70\\x06\\x00\\x01abcdb'; z.writestr(i, b'x')",
      "a file with two names",
    ],
    [
      "a second name after the long form of lengths",
      "i=zipfile.ZipInfo('a'); i.extra=b'\\x01\\x00\\x00\\x00\\x75\\x70\\x06\\x00\\x01abcdb'; z.writestr(i, b'x')",
      "a file with two names",
    ],
    [
      "a file that its directory does not list",
      `${entry("a")}\n${entry("b")}\n${entry("c")}\nz.filelist=[i for i in z.filelist if i.filename != 'b']`,
      "has bytes between its files",
    ],
    [
      "a first file that its directory does not list",
      `${entry("a")}\n${entry("b")}\nz.filelist.pop(0)`,
      "has bytes between its files",
    ],
    [
      "a last file that its directory does not list",
      `${entry("a")}\n${entry("b")}\nz.filelist.pop()`,
      "has bytes between its files",
    ],
    ["too many files", "for n in range(601): z.writestr(str(n), b'')", "more than 600 files"],
  ])("with %s is refused", async (_, lines, message) => {
    await expect(verified(written(lines))).rejects.toThrow(message);
  });

  test("with a file that unpacks to more than it says is refused", async () => {
    const bomb = written(entry("evidence.json", "b'0' * 50_000_000"));
    expect(bomb.length).toBeLessThan(100_000);
    await expect(verified(bomb)).rejects.toThrow("its evidence.json is larger than");
    // The directory and the head of the file say ten bytes.
    const central = bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bomb.writeUInt32LE(10, central + 24);
    bomb.writeUInt32LE(10, 22);
    await expect(verified(bomb)).rejects.toThrow("longer than it says");
  });

  test("whose head differs from its directory, that ends with something else, or is cut off, is refused", async () => {
    const changed = (edit: (bytes: Buffer) => void) => {
      const bytes = Buffer.from(zip);
      edit(bytes);
      return bytes;
    };
    const other = changed((bytes) => bytes.write("x", 30));
    const encrypted = changed((bytes) => bytes.writeUInt16LE(bytes.readUInt16LE(6) | 1, 6));
    const long = changed((bytes) => bytes.writeUInt32LE(0xffffffff, 18));
    for (const bytes of [encrypted, long]) await expect(verified(bytes)).rejects.toThrow("head differs");
    await expect(verified(other)).rejects.toThrow("head differs");
    await expect(verified(Buffer.concat([zip, Buffer.from("x")]))).rejects.toThrow("does not end as one");
    await expect(verified(zip.subarray(0, -1))).rejects.toThrow(UnreadableError);
    for (let length = 0; length < zip.length; length += 7_919)
      await expect(verified(zip.subarray(0, length))).rejects.toThrow(UnreadableError);
  });

  test("whose directory is random is refused, and nothing else is thrown", async () => {
    const start = zip.lastIndexOf(Buffer.from("evidence.json")) - 46;
    for (let at = start; at < zip.length; at++) {
      const flipped = Buffer.from(zip);
      flipped[at] = (flipped[at] ?? 0) ^ 0x81;
      await verified(flipped).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableError));
    }
  });
});

describe("the program that anyone can download", () => {
  test("proves a dossier, and says what it did not check", () => {
    const { status, stdout, stderr } = run(zip, "--keys", "keys.json");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("passed       file         are those that the evidence names");
    expect(stdout).toContain("PROVED: organization");
    expect(stdout).toContain("which pdfsig checks");
    const { verdict, pdf_signatures } = JSON.parse(run(zip, "--keys", "keys.json", "--json").stdout);
    expect([verdict, pdf_signatures]).toEqual(["proved", "not_checked"]);
  });

  test("names the files that a system added, which it does not look at", async () => {
    const more = { "__MACOSX/._report.pdf": Buffer.from("x"), ".DS_Store": Buffer.from("y") };
    const added = await zipOf({ ...files, ...more }, false);
    const { status, stdout } = run(added, "--keys", "keys.json");
    expect(status).toBe(0);
    expect(stdout).toContain('Not of the dossier, and not looked at: "__MACOSX/._report.pdf", ".DS_Store".');
    expect(JSON.parse(run(added, "--keys", "keys.json", "--json").stdout).set_aside).toEqual(Object.keys(more));
    expect(byPython(added)).toEqual([]);
    expect(run(await zipOf({ ...files, "__MACOSX/report.pdf": Buffer.from("x") }), "--keys", "keys.json").status).toBe(
      1,
    );
  });

  test("says what `selo proof verify` says", async () => {
    const { stdout } = run(zip, "--keys", "keys.json");
    const [file, keysFile] = ["dossier.zip", "keys.json"].map((name) => path.join(folder, name)) as [string, string];
    const answer = await command(["proof", "verify", file, "--keys", keysFile], {});
    expect([answer.code, answer.stdout]).toEqual([0, stdout]);
  });

  test("ends with 1 for a changed one, 2 for one of a declined envelope, 3 for one that cannot be read", async () => {
    expect(run(await zipOf(omit("report.pdf")), "--keys", "keys.json").status).toBe(1);
    expect(run(declined, "--keys", "keys.json").status).toBe(2);
    const cut = run(zip.subarray(0, -30), "--keys", "keys.json");
    expect([cut.status, cut.stderr.includes("dossier.zip: the ZIP")]).toEqual([3, true]);
    const none = run(Buffer.from("%PDF-"), "--keys", "keys.json");
    expect([none.status, none.stderr.includes("give --receipt or --evidence")]).toEqual([3, true]);
  });
});
