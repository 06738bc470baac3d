// What everybody who checks gets after the personal data of a participant were erased: the dossier, the report, packages; and downloads that began before.
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PlatformKey, readKeys } from "../../../src/verifier/keys.ts";
import { PATIENT } from "../../support/checkers.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { verifiedDossier } from "../../verifier/sealed-dossier-stage.ts";
import { aSession, complete, completing, deliver, type SentWith, sentWith } from "./completion-stage.ts";
import { dossierOf, type Files, filesOf, zipOf } from "./dossier-stage.ts";
import { type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { erase, removeObjects } from "./erasure-stage.ts";
import { proseOf, readReport } from "./report-stage.ts";

/** A JPEG by its first bytes, too long for what a connection holds: its reader decides when it is sent. */
const PHOTO = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), randomBytes(9_000_000)]);
const ZULEICA = { name: "Zuleica Brandão", email: "zuleica@example.com" };
const OTAVIO = { name: "Otávio Lima", email: "otavio@example.com" };

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
let keysText: string;
let keys: readonly PlatformKey[];
let sent: SentWith;
let photo: string;
let whole: Buffer;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-erased-files-"));
beforeAll(async () => {
  selo = await startTestGateway(PATIENT);
  stage = await openStage(selo, "live");
  worker = workerOf(stage);
  sent = await sentWith(stage, [
    {
      body: ZULEICA,
      fields: [
        { type: "anexo", label: "Photo" },
        { type: "texto", label: "Street" },
      ],
    },
    { body: OTAVIO, fields: [{ type: "texto", label: "Town" }] },
  ]);
  const [[file = "", street = ""] = [], [town = ""] = []] = sent.fields;
  photo = file;
  const [first, second] = sent.links;
  const session = await aSession(stage, first);
  expect((await deliver(stage, first, photo, PHOTO, { session, name: "photo.jpg" })).status).toBe(200);
  expect((await complete(stage, first, { session, values: { [street]: "Rua das Acácias" } })).status).toBe(200);
  if (second !== undefined) await complete(stage, second, { values: { [town]: "Olinda" } });
  await completing(stage, sent.id, worker);
  await selo.seal();
  whole = (await dossierOf(stage, sent.id)).bytes;
  keysText = (await call(selo, "GET", "/public/platform-key")).text;
  keys = readKeys(keysText);
}, 120_000);
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await worker.end();
  await selo.stop();
});

/** What the verifier, the program that anyone can download, and the Python program say of a dossier. */
async function said(bytes: Buffer) {
  for (const [name, content] of Object.entries({ "dossier.zip": bytes, "keys.json": keysText }))
    fs.writeFileSync(path.join(folder, name), content);
  const { checks, verdict } = await verifiedDossier(bytes, keys);
  const results = Object.fromEntries(checks.map(({ name, result, reason }) => [name, `${result} ${reason}`]));
  const program = path.resolve(import.meta.dirname, "../../../dist/web/selo-verify.mjs");
  const alone = spawnSync(process.execPath, [program, "dossier.zip", "--keys", "keys.json"], {
    cwd: folder,
    env: {},
    encoding: "utf8",
  });
  const script = path.join(import.meta.dirname, "../../verifier/envelope_report.py");
  const theirs = JSON.parse(
    execFileSync("python3", [script, "dossier.zip", "keys.json"], { cwd: folder, encoding: "utf8" }),
  );
  return {
    verdict,
    file: results["file"],
    openings: results["openings"],
    status: alone.status,
    text: alone.stdout,
    theirs,
  };
}

const attachmentName = () => `attachments/${photo}.jpg`;
const evidenceOf = (files: Files) => JSON.parse(String(files["evidence.json"]));

/** Reads what is left of an answer; null where it breaks off. */
async function rest(reader: ReadableStreamDefaultReader<Uint8Array>, first: Uint8Array): Promise<Buffer | null> {
  const pieces = [first];
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value);
    return Buffer.concat(pieces);
  } catch {
    return null;
  }
}

test("erase × download: one that began before ends as it began, or is cut", { timeout: 60_000 }, async () => {
  const downloads = [];
  for (let count = 0; count < 3; count++) {
    const answer = await fetch(`${selo.baseUrl}/api/v1/envelopes/${sent.id}/dossier`, {
      headers: { authorization: `Bearer ${stage.token}` },
    });
    const reader = answer.body?.getReader();
    const piece = await reader?.read();
    if (reader === undefined || piece?.value === undefined) throw new Error("no body");
    downloads.push({ reader, first: piece.value });
  }
  // One that is made while the data are erased has all of them or none.
  const [during] = await Promise.all([dossierOf(stage, sent.id), erase(stage, sent.id, sent.links[0].participantId)]);
  await removeObjects(stage, worker);
  for (const { reader, first } of downloads) {
    const got = await rest(reader, first);
    expect(got === null || got.equals(whole)).toBe(true);
  }
  const after = (await dossierOf(stage, sent.id)).bytes;
  expect(after.equals(whole)).toBe(false);
  expect(during.status !== 200 || [whole, after].some((each) => during.bytes.equals(each))).toBe(true);
});

test("the dossier has nothing personal of the participant, and all programs say that the rest is in order", {
  timeout: 60_000,
}, async () => {
  const before = (await dossierOf(stage, sent.id)).bytes;
  expect(await said(before)).toMatchObject({
    verdict: "not_proved",
    file: "not_checked erasure_not_sealed",
    openings: "passed openings_said_erased",
    status: 2,
    theirs: { faults: [], proved: null, erased: [] },
  });
  await selo.seal();
  const { bytes } = await dossierOf(stage, sent.id);
  const found = await said(bytes);
  expect(found).toMatchObject({
    verdict: "proved",
    file: "erased files_erased",
    openings: "erased openings_erased",
    status: 0,
    theirs: { faults: [], proved: "completed", erased: [sent.links[0].participantId] },
  });
  expect(found.text).toContain("erased       openings");
  expect(found.text).toContain("name erased, e-mail erased");
  expect(found.text).toContain(OTAVIO.name);
  const files = filesOf(bytes);
  expect(Object.keys(files)).not.toContain(attachmentName());
  const { records } = evidenceOf(files);
  expect(
    records.map(({ openings, erased_at }: { openings: object; erased_at?: string }) => [
      Object.keys(openings).length > 0,
      typeof erased_at,
    ]),
  ).toEqual([
    [false, "string"],
    [true, "undefined"],
  ]);
  const report = proseOf(readReport(files["report.pdf"] ?? Buffer.alloc(0)));
  expect(report).toContain(OTAVIO.name);
  for (const word of [...Object.values(ZULEICA), "Acácias"])
    for (const text of [report, String(files["evidence.json"])]) expect(text).not.toContain(word);
  // The one from before is proved as it was.
  expect(await said(whole)).toMatchObject({ verdict: "proved", file: "passed files_named", status: 0 });
  // Documents of tests are rows alone, without events.
  const { faults } = await verifyAll(selo.operator);
  expect(faults.filter(({ subject_type }) => subject_type !== "document")).toEqual([]);
});

test("what somebody else drops from a dossier is not erased", { timeout: 60_000 }, async () => {
  const files = filesOf(whole);
  const { [attachmentName()]: _, ...dropped } = files;
  expect(await said(await zipOf(dropped))).toMatchObject({
    file: "failed files_differ",
    status: 1,
    theirs: { faults: ["has another attachment"] },
  });
});
