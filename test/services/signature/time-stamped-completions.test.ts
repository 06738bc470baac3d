// Completions whose seals have time stamps of openssl behind HTTP (live only), and what their evidence says.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TimeStampAuthority } from "../../../src/adapters/time-stamp/time-stamp-authority.ts";
import { TimeStampFailed } from "../../../src/adapters/time-stamp/time-stamp-failed.ts";
import { envelopeText } from "../../../src/services/signature/commands/envelope-text.ts";
import { PdfSealer } from "../../../src/services/signature/envelopes/pdf-sealer.ts";
import { Metrics } from "../../../src/surfaces/metrics/metrics.ts";
import { readEnvelopeEvidence } from "../../../src/verifier/envelope-evidence.ts";
import { HYBRID_CHECKS } from "../../../src/verifier/hybrid-signature.ts";
import { readKeys } from "../../../src/verifier/keys.ts";
import { verifyEnvelope } from "../../../src/verifier/verify-envelope.ts";
import { run, signaturesOf } from "../../adapters/pdf-seal/seal-stage.ts";
import { type Answers, OpensslStage, serveAuthority } from "../../adapters/time-stamp/authority-stage.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call } from "../../support/rest-client.ts";
import { complete, completing, evidenceOf } from "./completion-stage.ts";
import { aDocument, anEnvelope, aParticipant, ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { attachedOf, byPython, reportOf } from "./report-stage.ts";
import { aLink, openedLink } from "./signing-stage.ts";

let selo: TestGateway;
let live: EnvelopeStage;
let worker: Worker;
let openssl: OpensslStage;
let server: Awaited<ReturnType<typeof serveAuthority>>;
let authority: TimeStampAuthority;
/** How the authority answers now, and how often it was asked. */
let answers: Answers;
let asked = 0;
beforeAll(async () => {
  selo = await startTestGateway();
  live = await openStage(selo, "live");
  worker = workerOf({ selo });
  openssl = new OpensslStage();
  openssl.issue("authority", "authority");
  server = await serveAuthority((...given) => {
    asked += 1;
    return answers(...given);
  });
  authority = new TimeStampAuthority({ url: server.url, roots: openssl.read("root.pem").toString() });
});
afterAll(async () => {
  await authority.close();
  await server.end();
  openssl.end();
  await worker.end();
  await selo.stop();
});

const stamps: Answers = (query) => openssl.reply(query);
const refuses: Answers = (_, response) => {
  response.writeHead(503).end();
  return null;
};
const metrics = new Metrics();
const sealer = (isRequired = false) =>
  new PdfSealer(worker.context.jobs, masterKeys, { timeStamps: { authority, isRequired }, metrics });
/** What the worker is warned of, while it completes. */
async function warnings(work: (worker: Worker) => Promise<void>): Promise<readonly { err: Error; id: string }[]> {
  const heard: { err: Error; id: string }[] = [];
  const log = { ...worker.context.log, warn: (line: { err: Error; id: string }) => void heard.push(line) } as never;
  await work({ ...worker, context: { ...worker.context, log } });
  return heard;
}
const isStamped = (pdf: Buffer) => pdf.toString("latin1").toLowerCase().includes(STAMP_ATTRIBUTE);
/** id-aa-timeStampToken in the hexadecimal of a signature. */
const STAMP_ATTRIBUTE = "060b2a864886f70d010910020e";

/** An envelope with so many documents, whose participant has finished. */
async function finished(stage: EnvelopeStage, documents = 1): Promise<{ id: string; documentIds: string[] }> {
  const { id } = await anEnvelope(stage);
  const documentIds: string[] = [];
  for (let place = 0; place < documents; place++) {
    const documentId = await aDocument(stage);
    await ask(stage, "POST", `/envelopes/${id}/documents`, { document_id: documentId });
    documentIds.push(documentId);
  }
  const { id: participantId } = await aParticipant(stage, id);
  expect((await ask(stage, "POST", `/envelopes/${id}/send`)).status).toBe(200);
  const link = (await openedLink(stage, id, participantId)) ?? (await aLink(stage, id, participantId));
  expect((await complete(stage, link)).status).toBe(200);
  return { id, documentIds };
}

async function finalOf(stage: EnvelopeStage, id: string, documentId: string): Promise<Buffer> {
  const { body } = await ask(stage, "GET", `/envelopes/${id}/documents/${documentId}/download`);
  return Buffer.from(await (await fetch(body.url.replace("http://selo.test", selo.baseUrl))).arrayBuffer());
}

describe("in live, with an authority", () => {
  test("each final document has a time stamp, and the evidence says so: to the public answer, the report and python3", async () => {
    answers = stamps;
    asked = 0;
    const { id, documentIds } = await finished(live, 2);
    expect(await warnings((heard) => completing(live, id, heard, { sealer: sealer() }))).toEqual([]);
    expect(asked).toBe(2);
    for (const documentId of documentIds) {
      const pdf = await finalOf(live, id, documentId);
      expect(isStamped(pdf)).toBe(true);
      expect(signaturesOf(pdf)).toMatchObject([{ isValid: true, isTotal: true }]);
    }
    const { completion } = await evidenceOf(live, id);
    expect(completion.evidence.timestamp).toBe("valid");
    const { verification_code: code } = await read(live, id);
    const answer = (await call(selo, "GET", `/public/envelopes/${code}`)).body;
    expect([answer.valid, answer.completion.evidence.timestamp]).toEqual([true, "valid"]);

    const attached = await attachedOf(live, id);
    const pdf = await finalOf(live, id, documentIds[1] ?? "");
    expect(await byPython(selo, attached, pdf)).toEqual({ file: "final", faults: [] });
    const trusted = readKeys((await call(selo, "GET", "/public/platform-key")).text);
    const evidence = readEnvelopeEvidence(JSON.stringify(attached));
    if (evidence === null) throw new Error("it is no report");
    const verified = verifyEnvelope(HYBRID_CHECKS, evidence, createHash("sha256").update(pdf).digest("hex"), trusted);
    expect(verified.verdict).toBe("proved");
    expect(envelopeText(verified, "pdf")).toContain(", live, time stamps in the PDFs, not checked here\n");
    // A report has no time stamp: it is made anew for each reader, with the same bytes.
    const [first, second] = [await reportOf(live, id), await reportOf(live, id)];
    expect(isStamped(first.bytes)).toBe(false);
    const { said } = run({ "report.pdf": first.bytes }, "pdftotext", "-layout", "report.pdf", "-");
    expect(said).toMatch(/Time stamps +Each final document has one of another party/);
    expect(first.bytes.equals(second.bytes)).toBe(true);
  });

  test("without a usable answer it is completed, says none, and asks no more for this envelope", async () => {
    answers = refuses;
    asked = 0;
    const { id, documentIds } = await finished(live, 3);
    const heard = await warnings((worker) => completing(live, id, worker, { sealer: sealer() }));
    expect(heard).toMatchObject([{ id, err: { message: "the authority answered 503" } }]);
    expect(asked).toBe(1);
    const { completion } = await evidenceOf(live, id);
    expect(completion.evidence.timestamp).toBe("none");
    for (const documentId of documentIds)
      expect(signaturesOf(await finalOf(live, id, documentId))).toMatchObject([{ isValid: true, isTotal: true }]);
    const { verification_code: code } = await read(live, id);
    expect((await call(selo, "GET", `/public/envelopes/${code}`)).body.valid).toBe(true);
  });

  test("where one of several is missing, the evidence says none of all", async () => {
    asked = 0;
    answers = (...given) => (asked === 1 ? stamps(...given) : refuses(...given));
    const { id, documentIds } = await finished(live, 2);
    await completing(live, id, worker, { sealer: sealer() });
    const stamped = await Promise.all(documentIds.map(async (each) => isStamped(await finalOf(live, id, each))));
    expect(stamped).toEqual([true, false]);
    expect((await evidenceOf(live, id)).completion.evidence.timestamp).toBe("none");
  });

  test("with TSA_REQUIRED=1 the attempt fails, counts as none of the envelope's, and is made again", async () => {
    answers = refuses;
    const { id } = await finished(live);
    const { admin } = selo.database;
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(completing(live, id, worker, { sealer: sealer(true) })).rejects.toThrow(TimeStampFailed);
    const { rows } = await admin.query("select completion_attempts from signature.envelopes where id = $1", [id]);
    expect(rows).toEqual([{ completion_attempts: 0 }]);
    expect((await read(live, id)).status).not.toBe("failed");
    answers = stamps;
    await completing(live, id, worker, { sealer: sealer(true) });
    expect((await evidenceOf(live, id)).completion.evidence.timestamp).toBe("valid");
  });

  test("counts what it asked for", async () => {
    const text = await metrics.text();
    expect(text).toMatch(/selo_seal_time_stamps_total\{outcome="made"\} 4\b/);
    expect(text).toMatch(/selo_seal_time_stamps_total\{outcome="failed"\} 5\b/);
  });
});

test("in test nobody is asked, and the evidence says none", async () => {
  answers = stamps;
  asked = 0;
  const tried = await openStage(selo);
  const { id } = await finished(tried);
  await completing(tried, id, worker, { sealer: sealer(true) });
  expect(asked).toBe(0);
  expect((await evidenceOf(tried, id)).completion.evidence.timestamp).toBe("none");
});

describe("the evidence", () => {
  type Given = Readonly<Record<string, unknown>>;
  /** Completes as a worker that says something else to the database. */
  async function saying(change: (given: Given) => Given, id: string): Promise<void> {
    const { jobs } = worker.context;
    const call = jobs.call.bind(jobs);
    jobs.call = (place, name, given) => call(place, name, given && change(given as Given));
    await completing(live, id, worker).finally(() => {
      jobs.call = call;
    });
  }

  test("of a worker of the previous release has no such member, and is valid", async () => {
    const { id } = await finished(live);
    await saying(({ timestamp: _, ...given }) => given, id);
    const { completion } = await evidenceOf(live, id);
    expect(completion.evidence).not.toHaveProperty("timestamp");
    const { verification_code: code } = await read(live, id);
    expect((await call(selo, "GET", `/public/envelopes/${code}`)).body.valid).toBe(true);
  });

  test("says no other word", async () => {
    const { id } = await finished(live);
    const lie = (given: Given) => ("timestamp" in given ? { ...given, timestamp: "accredited" } : given);
    await expect(saying(lie, id)).rejects.toThrow("neither none nor valid");
  });
});
