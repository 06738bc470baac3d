// Files that participants deliver for fields of type anexo: from PUT to the dossier.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readKeys } from "../../../src/verifier/keys.ts";
import { onePage, pdf, stream } from "../../adapters/pdf-check/pdf-file.ts";
import { IMPATIENT, PATIENT, signalChecker } from "../../support/checkers.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { ORDINARY, objectsOf, WITH_JAVASCRIPT } from "../../support/uploads.ts";
import { verifiedDossier } from "../../verifier/sealed-dossier-stage.ts";
import {
  aSession,
  complete,
  completing,
  decline,
  deliver,
  evidenceOf,
  PIXEL,
  type SentWith,
  sentWith,
} from "./completion-stage.ts";
import { dossierOf, filesOf, zipOf } from "./dossier-stage.ts";
import { ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { proseOf, readReport, reportOf } from "./report-stage.ts";
import { act, type Link } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway(PATIENT);
  stage = await openStage(selo);
  worker = workerOf(stage);
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

const JPEG = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), randomBytes(100)]);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const fileOf = ({ id }: SentWith, field: string) => ask(stage, "GET", `/envelopes/${id}/attachments/${field}`);
const download = (url: string) => fetch(url.replace("http://selo.test", selo.baseUrl));

/** An envelope whose participant is asked for a file. */
async function asked(
  field: object = {},
): Promise<{ readonly sent: SentWith; readonly link: Link; readonly field: string }> {
  const sent = await sentWith(stage, [{ fields: [{ type: "anexo", ...field }] }]);
  return { sent, link: sent.links[0], field: sent.fields[0]?.[0] ?? "" };
}

/** The objects of deliveries of an envelope, and those that jobs are to remove. */
const objectOf = async (field: string): Promise<string | undefined> =>
  (await selo.database.admin.query("select object_id from signature.attachments where field_id = $1", [field])).rows[0]
    ?.object_id;
const isRemoved = async (objectId: string): Promise<boolean> => {
  const { rows } = await selo.database.admin.query(
    "select from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id where task.identifier = 'signature__remove_object' and job.payload ->> 'object_id' = $1",
    [objectId],
  );
  return rows.length > 0;
};

describe("PUT /signing/{participant_id}/attachments/{field_id}", () => {
  test.each([
    ["application/pdf", ORDINARY, "Holerite de março.pdf"],
    ["image/png", PIXEL, "a.jpg"],
    ["image/jpeg", JPEG, "b.pdf"],
  ])("takes %s by its first bytes, whatever its name", async (type, file, name) => {
    const { link, field } = await asked();
    const session = await aSession(stage, link);
    const { status, body } = await deliver(stage, link, field, file, { name, session });
    const delivered = { filename: name, size: file.length, type };
    expect({ status, body }).toEqual({ status: 200, body: { field_id: field, sha256: sha256(file), ...delivered } });
    const { fields } = (await act(stage, link, "GET", "", { session })).body;
    expect(fields.find(({ id }: { id: string }) => id === field)).toMatchObject({ attachment: delivered, value: null });
  });

  test.each([
    ["a text", Buffer.from("name,income\n"), "invalid_request"],
    ["nothing", Buffer.alloc(0), "invalid_request"],
    ["a GIF", Buffer.from("GIF89a"), "invalid_request"],
    ["a PDF behind other bytes", Buffer.concat([Buffer.from("x"), ORDINARY]), "invalid_request"],
    ["a PDF with JavaScript", WITH_JAVASCRIPT, "unprocessable_pdf", "javascript"],
    ["half a PDF", ORDINARY.subarray(0, 200), "unprocessable_pdf", "truncated"],
    [
      "a bomb",
      pdf(onePage({ objects: { 4: stream(`/Filter [${"/ASCIIHexDecode ".repeat(100)}]`, ">") } })),
      "unprocessable_pdf",
      "bomb",
    ],
  ])("refuses %s: 422, and stores nothing", async (_, file, code, reason?: string) => {
    const { link, field } = await asked();
    const before = await storedObjects();
    const refused = await deliver(stage, link, field, file);
    expectError(refused, 422, code, ["file"]);
    expect(refused.body.detail.reason).toBe(reason);
    expect(await storedObjects()).toEqual(before);
    expect(await objectOf(field)).toBeUndefined();
  });

  test("503 for a PDF whose check does not end in time, and stores nothing", async () => {
    const { link, field } = await asked();
    const session = await aSession(stage, link);
    const before = await storedObjects();
    const { baseUrl, stop } = await startGatewayBeside(selo, IMPATIENT);
    const stopped = signalChecker("SIGSTOP");
    const late = await deliver({ ...stage, selo: { ...selo, baseUrl } }, link, field, ORDINARY, { session });
    await stopped;
    await stop();
    expectError(late, 503, "unavailable");
    expect(await storedObjects()).toEqual(before);
    expect(await objectOf(field)).toBeUndefined();
    expect((await deliver(stage, link, field, ORDINARY, { session })).status).toBe(200);
  });

  test("refuses a PDF as PNG by its name alone, and a PNG in a PDF's name is a PNG", async () => {
    const { link, field } = await asked();
    expectError(await deliver(stage, link, field, WITH_JAVASCRIPT, { name: "a.png" }), 422, "unprocessable_pdf", [
      "file",
    ]);
    expect((await deliver(stage, link, field, PIXEL, { name: "a.pdf" })).body.type).toBe("image/png");
  });

  test("takes 10 MiB, and not a byte more", { timeout: 30_000 }, async () => {
    const { link, field } = await asked();
    const most = Buffer.concat([PIXEL, Buffer.alloc(10 * 1_048_576 - PIXEL.length)]);
    expect((await deliver(stage, link, field, most)).body).toMatchObject({ size: 10_485_760, sha256: sha256(most) });
    expectError(await deliver(stage, link, field, Buffer.concat([most, Buffer.alloc(1)])), 413, "too_large");
  });

  test("takes the names that phones and computers give: their spaces, hidden marks and signs", async () => {
    const { link, field } = await asked();
    const session = await aSession(stage, link);
    const names = [
      ["Captura de Tela 2026-11-30 às 10.00.00\u202fAM.png", "Captura de Tela 2026-11-30 às 10.00.00 AM.png"],
      ["\u200eIMG-20261130-WA0001.png", "IMG-20261130-WA0001.png"],
      ["recibo de marc\u0327o.png", "recibo de marc\u0327o.png"],
      ["📷 holerite.png", "📷 holerite.png"],
      ["\ufeff", "file"],
    ] as const;
    for (const [name, filename] of names)
      expect(await deliver(stage, link, field, PIXEL, { name, session })).toMatchObject({
        status: 200,
        body: { filename },
      });
  });

  test.each(["a\u202egnp.exe", "x".repeat(256)])("refuses the name %j", async (name) => {
    const { link, field } = await asked();
    expectError(await deliver(stage, link, field, PIXEL, { name }), 422, "invalid_request", ["file"]);
  });

  test("needs a session, the participant's own field, and one of type anexo", async () => {
    const { link, field, sent } = await asked();
    const other = await asked();
    expectError(await deliver(stage, link, field, PIXEL, { session: "" }), 401, "session_expired");
    expectError(await deliver(stage, link, other.field), 404, "not_found");
    expectError(await deliver(stage, link, randomUUID()), 404, "not_found");
    const { fields } = await read(stage, sent.id);
    const signature = fields.find(({ type }: { type: string }) => type === "assinatura").id;
    expectError(await deliver(stage, link, signature), 404, "not_found");
  });

  test("a later file takes the place of the one before, which is removed; 20 times", async () => {
    const { link, field } = await asked();
    const session = await aSession(stage, link);
    await deliver(stage, link, field, PIXEL, { session });
    const first = await objectOf(field);
    expect((await deliver(stage, link, field, JPEG, { session, name: "b.jpg" })).status).toBe(200);
    expect(await isRemoved(first ?? "")).toBe(true);
    expect(await objectOf(field)).not.toBe(first);
    // The limit of tries of an hour comes later.
    for (let time = 2; time <= 20; time += 1)
      expect((await deliver(stage, link, field, PIXEL, { session })).status).toBe(200);
    expectError(await deliver(stage, link, field, PIXEL, { session }), 409, "conflict");
    expect((await complete(stage, link, { session })).status).toBe(200);
  });

  test("the same Idempotency-Key has the same answer, and the second content is thrown away", async () => {
    const { link, field } = await asked();
    const session = await aSession(stage, link);
    const key = randomUUID();
    const one = await deliver(stage, link, field, PIXEL, { session, key });
    const before = await storedObjects();
    const again = await deliver(stage, link, field, PIXEL, { session, key });
    expect(again.body).toEqual(one.body);
    expect(await storedObjects()).toEqual(before);
  });
});

async function storedObjects(): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of objectsOf(selo).list()) ids.push(id);
  return ids.sort();
}

test("the dossier has it, and both verifiers compare its digest and its size", { timeout: 60_000 }, async () => {
  const sent = await sentWith(stage, [{ fields: [{ type: "anexo" }, { type: "anexo" }] }]);
  const [[one = "", two = ""] = []] = sent.fields;
  const [link] = sent.links;
  const session = await aSession(stage, link);
  await deliver(stage, link, one, PIXEL, { session });
  await deliver(stage, link, two, ORDINARY, { session });
  expect((await complete(stage, link, { session })).status).toBe(200);
  await completing(stage, sent.id, worker);
  const zip = (await dossierOf(stage, sent.id)).bytes;
  const files = filesOf(zip);
  const name = `attachments/${one}.png`;
  expect(files[name]?.equals(PIXEL)).toBe(true);
  expect(files[`attachments/${two}.pdf`]?.equals(ORDINARY)).toBe(true);

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-attachments-"));
  try {
    const keys = (await call(selo, "GET", "/public/platform-key")).text;
    fs.writeFileSync(path.join(folder, "keys.json"), keys);
    const program = path.join(import.meta.dirname, "../../verifier/envelope_report.py");
    /** The checks of our verifier that fail, and whether the Python program finds a fault. */
    const wrong = async (bytes: Buffer) => {
      const { checks } = await verifiedDossier(bytes, readKeys(keys));
      fs.writeFileSync(path.join(folder, "dossier.zip"), bytes);
      const theirs = execFileSync("python3", [program, "dossier.zip", "keys.json"], { cwd: folder, encoding: "utf8" });
      return [
        checks.filter(({ result }) => result === "failed").map((check) => check.name),
        JSON.parse(theirs).faults.length > 0,
      ];
    };
    expect(await wrong(zip)).toEqual([[], false]);
    const { [name]: _, ...without } = files;
    for (const changed of [
      { ...files, [name]: Buffer.concat([PIXEL, Buffer.alloc(1)]) },
      { ...files, [name]: Buffer.from(PIXEL.map((byte, place) => (place === 40 ? byte ^ 1 : byte))) },
      without,
      { ...without, [`attachments/${one}.jpg`]: PIXEL },
      { ...files, [`attachments/${sent.id}.png`]: PIXEL },
    ])
      expect(await wrong(await zipOf(changed))).toEqual([["file"], true]);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

describe("a file that was delivered", () => {
  test("stands in the record, the report, the dossier and behind a link, from the act on", {
    timeout: 60_000,
  }, async () => {
    const { sent, link, field } = await asked({ label: "Proof of income" });
    const session = await aSession(stage, link);
    await deliver(stage, link, field, ORDINARY, { session, name: "holerite.pdf" });
    expectError(await fileOf(sent, field), 404, "not_found");
    expect((await complete(stage, link, { session })).status).toBe(200);
    expectError(await deliver(stage, link, field, PIXEL), 409, "conflict");

    const { records } = await evidenceOf(stage, sent.id);
    const said = { field_id: field, sha256: sha256(ORDINARY), size: ORDINARY.length, type: "application/pdf" };
    expect(records[0].evidence.attachments).toEqual([said]);
    const { fields } = await read(stage, sent.id);
    expect(fields.find(({ id }: { id: string }) => id === field).value).toBe("holerite.pdf");

    const { body } = await fileOf(sent, field);
    const answer = await download(body.url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(ORDINARY)).toBe(true);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; .*holerite\.pdf/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");

    await completing(stage, sent.id, worker);
    const report = proseOf(readReport((await reportOf(stage, sent.id)).bytes));
    expect(report).toContain("Proof of income holerite.pdf");
    expect(report).toContain(`${ORDINARY.length.toLocaleString("en-US")} bytes`);
    expect(report).toContain("delivered a file");
  });

  test.each([
    ["a program", JPEG, "fotos.bat", "fotos.bat.jpg"],
    ["a page", PIXEL, "recibo.html", "recibo.html.png"],
    ["another kind of picture", PIXEL, "a.jpg", "a.jpg.png"],
    ["its kind", JPEG, "Foto.JPEG", "Foto.JPEG"],
    ["nothing", ORDINARY, "holerite", "holerite.pdf"],
  ])("whose name ends as %s is saved under a name that ends as its type", async (_, file, name, saved) => {
    const { sent, link, field } = await asked();
    const session = await aSession(stage, link);
    expect((await deliver(stage, link, field, file, { session, name })).status).toBe(200);
    expect((await complete(stage, link, { session })).status).toBe(200);
    const answer = await download((await fileOf(sent, field)).body.url);
    await answer.body?.cancel();
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename=${saved}`);
  });

  test("is required where its field is; otherwise the field is empty", async () => {
    const required = await asked();
    expectError(await complete(stage, required.link), 422, "invalid_request", [`values.${required.field}`]);
    const optional = await asked({ required: false });
    expect((await complete(stage, optional.link)).status).toBe(200);
    const { records } = await evidenceOf(stage, optional.sent.id);
    expect(records[0].evidence).not.toHaveProperty("attachments");
    expectError(await fileOf(optional.sent, optional.field), 404, "not_found");
  });

  test("is none that values name", async () => {
    const { link, field } = await asked({ required: false });
    const answer = await complete(stage, link, { values: { [field]: "holerite.pdf" } });
    expectError(answer, 422, "invalid_request", [`values.${field}`]);
  });

  test("is removed where its field is hidden in the end", async () => {
    const sent = await sentWith(stage, [
      {
        fields: [
          { type: "checkbox", required: false },
          { type: "anexo", condition_field_id: 0, condition_trigger: "checked" },
        ],
      },
    ]);
    const [[box = "", field = ""] = []] = sent.fields;
    const session = await aSession(stage, sent.links[0]);
    expect((await deliver(stage, sent.links[0], field, PIXEL, { session })).status).toBe(200);
    const object = (await objectOf(field)) ?? "";
    expect((await complete(stage, sent.links[0], { session, values: { [box]: false } })).status).toBe(200);
    expect(await objectOf(field)).toBeUndefined();
    expect(await isRemoved(object)).toBe(true);
    await completing(stage, sent.id, worker);
    expect((await read(stage, sent.id)).status).toBe("completed");
  });

  test("is removed when the envelope ends without the act; that of who finished stays", async () => {
    const sent = await sentWith(stage, [{ fields: [{ type: "anexo" }] }, { fields: [{ type: "anexo" }] }]);
    const [[first = ""] = [], [second = ""] = []] = sent.fields;
    const [one, two] = sent.links;
    if (two === undefined) throw new Error("one participant");
    const session = await aSession(stage, one);
    await deliver(stage, one, first, PIXEL, { session });
    await deliver(stage, two, second, JPEG);
    const object = (await objectOf(second)) ?? "";
    expect((await complete(stage, one, { session })).status).toBe(200);
    expect((await decline(stage, two)).status).toBe(200);
    expect(await objectOf(second)).toBeUndefined();
    expect(await isRemoved(object)).toBe(true);
    expect((await fileOf(sent, first)).status).toBe(200);
  });

  test.each(["sha256 = sha256('x'::bytea)", "size = size + 1", "type = 'image/jpeg'", "delete"])(
    "that somebody changes in the database (%s) leaves no report",
    async (change) => {
      const { sent, link, field } = await asked();
      await deliver(stage, link, field);
      expect((await complete(stage, link)).status).toBe(200);
      const { admin } = selo.database;
      if (change === "delete") await admin.query("delete from signature.attachments where field_id = $1", [field]);
      else await admin.query(`update signature.attachments set ${change} where field_id = $1`, [field]);
      expect((await reportOf(stage, sent.id)).status).toBe(500);
    },
  );
});

test("attach × complete: what the record says is what is kept", { timeout: 60_000 }, async () => {
  for (let round = 0; round < byLane({ lane: 4, full: 20 }); round += 1) {
    const { sent, link, field } = await asked();
    const session = await aSession(stage, link);
    await deliver(stage, link, field, PIXEL, { session });
    const [attached, first, second] = await Promise.all([
      deliver(stage, link, field, JPEG, { session, name: "b.jpg" }),
      complete(stage, link, { session }),
      complete(stage, link, { session }),
    ]);
    expect([200, 409]).toContain(attached.status);
    for (const { status } of [first, second]) expect([200, 409]).toContain(status);
    if (first.status === 409 && second.status === 409)
      expect((await complete(stage, link, { session })).status).toBe(200);
    const { records } = await evidenceOf(stage, sent.id);
    const { body } = await fileOf(sent, field);
    const kept = Buffer.from(await (await download(body.url)).arrayBuffer());
    expect(records.map(({ evidence }: { evidence: { attachments: object } }) => evidence.attachments)).toEqual([
      [expect.objectContaining({ sha256: sha256(kept), size: kept.length })],
    ]);
  }
});
