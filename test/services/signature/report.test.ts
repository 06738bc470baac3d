// The evidence report: issue "Signature II", §2. Other programs read it: poppler, qpdf, zbarimg, python3.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { PdfRenderer } from "../../../src/adapters/pdf/pdf-renderer.ts";
import { Database } from "../../../src/postgres/database.ts";
import { ReportMaker } from "../../../src/services/signature/envelopes/make-report.ts";
import { PdfSealer } from "../../../src/services/signature/envelopes/pdf-sealer.ts";
import type { PreparedReport } from "../../../src/services/signature/envelopes/prepared-report.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { infoOf, scanReceipt } from "../../support/receipt-reader.ts";
import { expectError, type RestResponse } from "../../support/rest-client.ts";
import { whileTampered } from "../../support/tamper.ts";
import {
  complete,
  completing,
  DRAWN,
  decline,
  evidenceOf,
  type SentWith,
  sentWith,
  TYPED,
} from "./completion-stage.ts";
import { anEnvelope, aSendable, contentOf, type EnvelopeStage, openStage } from "./envelope-stage.ts";
import {
  attachedOf,
  byPython,
  darkDots,
  fontsOf,
  inspected,
  outsideOf,
  proseOf,
  readReport,
  reportOf,
} from "./report-stage.ts";
import { aCode, act, aReminded, aSession, inContext } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
/** Two participants have signed, one drawn and one typed, and an observer looks on. */
let sent: SentWith;
let pdf: Buffer;
/** The report of that envelope, as it was answered and as poppler reads it. */
let answer: RestResponse;
let report: ReturnType<typeof readReport>;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf(stage);
  sent = await sentWith(
    stage,
    [
      { body: { name: "Maria Souza", email: "maria@example.com", modality: "avancada" } },
      { body: { name: "João Lima", email: "joao@example.com", modality: "simples" } },
      { body: { name: "Ana Prado", email: "ana@example.com", role: "aprovador" } },
      { body: { name: "Otto Olho", email: "otto@example.com", role: "observador" } },
    ],
    { title: "Lease of the house", language: "en" },
  );
  const [maria, joao, ana] = sent.links;
  const agent = { "user-agent": "Browser/7.7 of nobody" };
  const session = await aSession(stage, maria);
  await act(stage, maria, "POST", "/view", { session, headers: agent });
  await act(stage, maria, "POST", "/complete", {
    session,
    headers: agent,
    body: { consent_version: "intl-2026-12", signature: DRAWN },
  });
  if (joao === undefined || ana === undefined) throw new Error("there are three");
  await complete(stage, joao, { signature: { ...TYPED, text: "João Lima Filho" } });
  await complete(stage, ana, { signature: null });
  await completing(stage, sent.id, worker);
  answer = await reportOf(stage, sent.id);
  pdf = answer.bytes;
  report = readReport(pdf);
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

describe("GET /envelopes/{id}/evidence with Accept: application/pdf", () => {
  test("answers a file that may be kept", async () => {
    const { status, headers, bytes } = answer;
    const { envelope } = await evidenceOf(stage, sent.id);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toBe(`inline; filename="report-${envelope.verification_code}.pdf"`);
    expect(headers.get("vary")).toContain("Accept");
    expect(bytes.subarray(0, 8).toString("latin1")).toBe("%PDF-1.7");
  });

  test("the same data give the same bytes, with the same ETag", async () => {
    const again = await reportOf(stage, sent.id);
    expect(again.bytes.equals(pdf)).toBe(true);
    const etag = again.headers.get("etag") ?? "";
    expect((await reportOf(stage, sent.id, { headers: { "if-none-match": etag } })).status).toBe(304);
    const part = await reportOf(stage, sent.id, { headers: { range: "bytes=10-19", "if-range": etag } });
    expect([part.status, part.bytes.equals(pdf.subarray(10, 20))]).toEqual([206, true]);
  });

  test("nothing that happens after the completion changes it: a participant signs in for the copy", async () => {
    await aSession(stage, sent.links[0]);
    expect((await reportOf(stage, sent.id)).bytes.equals(pdf)).toBe(true);
  });

  test.each([
    undefined,
    "*/*",
    "application/json",
    "text/html",
    "application/*",
    "application/pdf;q=0.5, application/json",
    "x",
  ])("Accept %s answers JSON", async (accept) => {
    const answer = await reportOf(stage, sent.id, { accept });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(answer.body.envelope.id).toBe(sent.id);
    expect(answer.headers.get("vary")).toContain("Accept");
  });

  test("Accept application/pdf, */*;q=0.1 answers the report", async () => {
    const { headers } = await reportOf(stage, sent.id, { accept: "application/pdf, */*;q=0.1" });
    expect(headers.get("content-type")).toBe("application/pdf");
  });

  // Of a draft there is JSON, but no report.
  test.each(["application/pdf, application/json;q=0.9", "APPLICATION/PDF"])(
    "Accept %s asks for the report",
    async (accept) => {
      const { id } = await aSendable(stage);
      expect((await reportOf(stage, id, { accept: "application/json" })).status).toBe(200);
      expectError(await reportOf(stage, id, { accept }), 409, "conflict");
    },
  );

  test("a draft has none: 409", async () => {
    expectError(await reportOf(stage, (await anEnvelope(stage)).id), 409, "conflict");
    const ready = await aSendable(stage);
    expectError(await reportOf(stage, ready.id), 409, "conflict");
    expect((await evidenceOf(stage, ready.id)).envelope.status).toBe("ready");
  });

  test("strangers get none", async () => {
    const other = await selo.newOrganization();
    const writer = await selo.newOrganization();
    expectError(await reportOf({ selo, token: other.test }, sent.id), 404, "not_found");
    expectError(await reportOf({ selo, token: other.live }, sent.id), 404, "not_found");
    const token = await writer.token("test", ["envelopes:write"]);
    expectError(await reportOf({ selo, token }, sent.id), 403, "missing_scope");
    expectError(await reportOf(stage, "x"), 422, "invalid_request", ["id"]);
  });
});

describe("its text", () => {
  let text: string;
  beforeAll(() => {
    text = proseOf(report);
  });

  test("names envelope, documents and participants", async () => {
    const { envelope, documents } = await evidenceOf(stage, sent.id);
    expect(text).toContain("Lease of the house");
    expect(text).toContain("Completed: all participants have finished.");
    expect(text).toContain(envelope.verification_code);
    const [{ sha256, final_sha256: final, filename }] = documents;
    expect(text).toContain(filename);
    const digits = text.replaceAll(" ", "");
    for (const digest of [sha256, final]) expect(digits).toContain(digest.slice(0, 32));
    for (const known of ["Maria Souza", "maria@example.com", "João Lima", "Ana Prado", "Otto Olho", "otto@example.com"])
      expect(text).toContain(known);
    for (const known of ["Signer", "Approver", "Observer", "Signed", "Approved", "João Lima Filho"])
      expect(text).toContain(known);
  });

  test("says what each modality binds, how participants were authenticated, and what they agreed to", async () => {
    expect(text).toContain("Advanced electronic signature. It binds the act to the participant alone");
    expect(text).toContain("Simple electronic signature. It binds the participant's identity");
    expect(text).toContain("One-time code sent to the e-mail address above, given on");
    expect(text).toContain("Text intl-2026-12 (en)");
    expect(text).toContain("I have read the documents of this request. I agree to act on them electronically");
    const [{ evidence }] = (await evidenceOf(stage, sent.id)).records;
    expect(text).toContain(evidence.consent.sha256);
  });

  test("has every step of the chain and its head", async () => {
    const all = (await evidenceOf(stage, sent.id)).events;
    const events = all.slice(0, all.findIndex(({ action }: { action: string }) => action === "envelope.completed") + 1);
    for (const { seq, occurred_at: at } of events) {
      expect(text).toContain(`${seq}. `);
      expect(text).toContain(at.replace("T", " ").replace("+00:00", " UTC"));
    }
    for (const words of ["Envelope sent", "Invitation to João Lima", "Maria Souza opened the documents"])
      expect(text).toContain(words);
    expect(text).toContain("Final documents signed by the platform; envelope completed");
    expect(text.replaceAll(" ", "")).toContain(events.at(-1).hash.slice(0, 32));
  });

  test("names both platform signatures with their keys, and how to verify offline", async () => {
    const { completion } = await evidenceOf(stage, sent.id);
    for (const known of [completion.platform_key_id, completion.platform_pq_key_id, "Ed25519", "ML-DSA-87", "pdfsig"])
      expect(text).toContain(known);
  });

  test("says on every page that a test proves nothing", () => {
    const pages = report.text.split("\f").filter((page) => page.trim() !== "");
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page).toContain("TEST · Made in the test environment: it proves nothing.");
  });

  test("has neither network addresses nor user agents, and the attachment neither", () => {
    const { evidence } = report;
    for (const told of [text, evidence]) {
      expect(told).not.toContain("Browser/7.7");
      expect(told).not.toContain("127.0.0.1");
      expect(told).not.toMatch(/::1\b|::ffff/);
    }
    expect(JSON.parse(evidence).events.every(({ address }: { address: unknown }) => address === null)).toBe(true);
  });
});

describe("other programs", () => {
  test("find it sound, sealed as a whole, PDF/A-3b by its structure, and read its QR code", async () => {
    const found = inspected(pdf, "qpdf", "pdfsig", "metadata", "info", "fonts", "attachments");
    const { envelope } = await evidenceOf(stage, sent.id);
    expect(found.qpdf).toContain("No syntax or stream encoding errors found");
    expect(found.pdfsig).toContain("Signature is Valid.");
    expect(found.pdfsig).toContain("Total document signed");
    expect(scanReceipt(pdf)).toBe(envelope.verify_url);
    expect(found.metadata).toMatch(/<pdfaid:part>3<\/pdfaid:part>/);
    expect(found.metadata).toMatch(/<pdfaid:conformance>B<\/pdfaid:conformance>/);
    expect(infoOf(found.info)["Tagged"]).toBe("yes");
    expect(fontsOf(found).every(({ isEmbedded }) => isEmbedded)).toBe(true);
    expect(found.attachments).toContain("evidence.json");
  });

  test("see the drawn signature and the typed one", () => {
    expect(inspected(pdf, "structure").structure).toContain("Signature that Maria Souza drew");
    expect(report.text).toContain("João Lima Filho");
  });

  test("verify the attachment: signatures, commitments and chain, with python3", async () => {
    const attached = await attachedOf(stage, sent.id);
    expect(attached.records.map(({ openings }: { openings: object }) => Object.keys(openings))).toEqual(
      Array(3).fill(["name", "email"]),
    );
    expect(await byPython(selo, attached, contentOf(sent.documentId, 2))).toEqual({ file: "original", faults: [] });
  });
});

describe("who may not have it", () => {
  test.each([
    [
      "a record",
      "update signature.signature_records set evidence = replace(evidence, 'signed', 'sighed') where participant_id is not null and envelope_id = $1 and id = (select min(id::text)::uuid from signature.signature_records where envelope_id = $1 and participant_id is not null)",
    ],
    [
      "a signature",
      "update signature.signature_records set platform_signature = set_byte(platform_signature, 3, (get_byte(platform_signature, 3) + 1) % 256) where participant_id is null and envelope_id = $1",
    ],
    ["a name", "update signature.participants set name = 'Mara Souza' where envelope_id = $1 and name = 'Maria Souza'"],
    ["a digest", "update signature.envelope_documents set final_sha256 = sha256('x') where envelope_id = $1"],
    [
      "an event",
      "update platform.audit_events set occurred_at = occurred_at + interval '1 second' where subject_id = $1 and action = 'envelope.sent'",
    ],
  ])("nobody, once %s was tampered with: 500, and no PDF", async (_what, statement) => {
    const tables = [/update ([\w.]+)/.exec(statement)?.[1] ?? ""];
    await whileTampered(selo.database, tables, [[statement, [sent.id]]], async () => {
      const answer = await reportOf(stage, sent.id);
      expectError(answer, 500, "internal_error");
      expect(answer.text).not.toContain("%PDF");
    });
  });

  test("everybody, once it is put back: the same report", async () => {
    expect((await reportOf(stage, sent.id)).bytes.equals(pdf)).toBe(true);
  });
});

describe("GET /signing/{participant_id}/report", () => {
  test("gives a participant the bytes of the sender", async () => {
    const [maria] = sent.links;
    const session = await aSession(stage, maria);
    const { documents } = await evidenceOf(stage, sent.id);
    const { body } = await act(stage, maria, "GET", "", { session });
    expect(body.verification_code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect(body.documents[0]).toMatchObject({ sha256: documents[0].sha256, final_sha256: documents[0].final_sha256 });
    const own = await act(stage, maria, "GET", "/report", { session });
    expect(own.headers.get("content-type")).toBe("application/pdf");
    expect(own.bytes.equals(pdf)).toBe(true);
    expectError(await act(stage, maria, "GET", "/report"), 401, "session_expired");
    const [, joao] = sent.links;
    expectError(
      await act(stage, { ...maria, participantId: joao?.participantId ?? "" }, "GET", "/report", { session }),
      404,
      "not_found",
    );
  });

  test("is 409 before the completion, and from 90 days after it", async () => {
    const { id, links } = await sentWith(stage);
    const session = await aSession(stage, links[0]);
    expectError(await act(stage, links[0], "GET", "/report", { session }), 409, "conflict");
    await complete(stage, links[0], { session });
    expectError(await act(stage, links[0], "GET", "/report", { session }), 409, "conflict");
    await completing(stage, id, worker);
    expect((await act(stage, links[0], "GET", "/report", { session })).status).toBe(200);
    await inContext(
      stage,
      "update signature.envelopes set completed_at = completed_at - interval '90 days' where id = $1",
      [id],
    );
    expectError(await act(stage, links[0], "GET", "/report", { session }), 409, "conflict");
  });
});

/** What SQL answers for the report of an envelope. */
async function preparedOf({ selo: { database }, token }: EnvelopeStage, id: string): Promise<PreparedReport> {
  const credentialHash = createHash("sha256").update(token).digest();
  const origin = { requestId: "test", address: "", channel: "rest" } as const;
  const command = { command: "prepare_report", arguments: { id } } as const;
  const { body } = await new Database(database.admin).call({ credentialHash, origin, ...command });
  return JSON.parse(body ?? "null");
}

test("one organization has at most ten reports made at once: 503 for one more, and others are served", async () => {
  const other = await openStage(selo);
  const [own, theirs] = [
    await preparedOf(stage, sent.id),
    await preparedOf(other, (await sentWith(other)).id),
  ] as const;
  const released = Promise.withResolvers<void>();
  const rendered = Buffer.from("rendered");
  const render = async ({ envelopeId }: { readonly envelopeId?: string }) => {
    if (envelopeId === own.envelope.id) await released.promise;
    return rendered;
  };
  const maker = new ReportMaker({
    renderer: Object.assign(new PdfRenderer(), { render }),
    sealer: { seal: async (given) => Buffer.from(given.pdf) },
    slots: new FairSlots(2),
    operator: selo.config.operator,
  });
  const held = Array.from({ length: 10 }, () => maker.make(own));
  await expect(maker.make(own)).rejects.toMatchObject({ status: 503, code: "unavailable" });
  expect((await maker.make(theirs)).pdf).toEqual(rendered);
  released.resolve();
  expect((await Promise.all(held)).map(({ pdf }) => pdf)).toEqual(Array(10).fill(rendered));
  expect((await maker.make(own)).pdf).toEqual(rendered);
});

describe("an envelope that is not completed", () => {
  test("says its state plainly, in Portuguese, and has no sealed document", async () => {
    const { id, links } = await sentWith(stage, [{}, { body: { name: "Rui", modality: "simples" } }], {
      language: "pt-BR",
    });
    await aCode(stage, links[0]);
    await complete(stage, links[0]);
    const [, rui] = links;
    if (rui === undefined) throw new Error("there are two");
    await aReminded(stage, rui);
    await inContext(stage, "update signature.participants set reminded_at = null where id = $1", [rui.participantId]);
    const second = await aReminded(stage, rui, { new_link: true });
    const open = proseOf(readReport((await reportOf(stage, id)).bytes));
    expect(open).toMatch(/Lembrete para Rui .*Lembrete para Rui, com um link novo; os anteriores deixaram de valer/s);
    expect(open).toContain("Relatório de evidências");
    expect(open).toContain("Não concluído: alguns participantes já terminaram, mas não todos.");
    expect(open).toContain("ainda não há documento final");
    expect(open).toContain("Lei nº 14.063/2020, art. 4º, I");
    await decline(stage, second, { reason: "O aluguel está errado." });
    const declined = (await reportOf(stage, id)).bytes;
    const readAgain = readReport(declined);
    const text = proseOf(readAgain);
    expect(text).toContain("Não concluído: um participante recusou.");
    expect(text).toContain("O aluguel está errado.");
    expect(text).toContain("Código de uso único enviado a Maria Souza");
    const attached = JSON.parse(readAgain.evidence);
    expect(Object.keys(attached)).toEqual(["envelope", "keys", "records", "events"]);
    expect(attached.envelope).toEqual({ tenant_id: stage.tenantId, environment: "test", envelope_id: id });
    expect(attached.records).toHaveLength(1);
    expect((await byPython(selo, attached, declined)).faults).toEqual([]);
  });
});

test("a value whose field has a label stands under it, others on the document alone; the consent has the name of its jurisdiction", async () => {
  const fields = [
    { type: "texto", label: "Inscrição municipal 漢" },
    { type: "checkbox", label: "Aceita animais" },
    { type: "texto" },
  ];
  const brazilian = { language: "pt-BR", jurisdiction: "br" };
  const { id, links, fields: made } = await sentWith(stage, [{ fields }], brazilian);
  const [[inscription = "", animals = "", other = ""] = []] = made;
  const values = { [inscription]: "123/4", [animals]: true, [other]: "on the page" };
  expect((await complete(stage, links[0], { values, consent_version: "br-2026-12" })).status).toBe(200);
  const text = proseOf(readReport((await reportOf(stage, id)).bytes));
  expect(text).toContain("Inscrição municipal 漢 123/4 contract.pdf, página 1");
  expect(text).toContain("Aceita animais marcada contract.pdf, página 1");
  expect(text).not.toContain("on the page");
  expect(text).toContain("Texto br-2026-12 (pt-BR)");
});

describe("hostile texts", () => {
  // All of them in report.full.test.ts.
  const hostile: [string, string][] = [
    ["XML", "<script>&amp;</x> \\(%PDF) $x"],
    ["Arabic", "عقد إيجار المنزل في القاهرة ".repeat(8).slice(0, 255).trim()],
    ["emoji", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(8)],
    ["255 wide letters", "W".repeat(255)],
    ["Chinese", "漢字契約書".repeat(51)],
  ];
  test.each(hostile.slice(0, byLane({ lane: 2, full: 5 })))("%s keep their place", async (_kind, text) => {
    const { id } = await sentWith(stage, [{ body: { name: text } }], { title: text });
    const { bytes, status, text: told } = await reportOf(stage, id);
    expect([status, status === 200 ? "" : told]).toEqual([200, ""]);
    const found = inspected(bytes, "pdfsig", "words");
    expect(found.pdfsig).toContain("Signature is Valid.");
    expect(scanReceipt(bytes)).toMatch(/\/verify\//);
    expect(outsideOf(found)).toEqual([]);
  });
});

test("characters that turn the direction of writing show as what they are", async () => {
  const { id, documentId } = await sentWith(stage);
  const edit: [string, unknown[]] = [
    "update signature.documents set filename = $2 where id = $1",
    [documentId, "contract \u202efdp.exe\u2066"],
  ];
  const { bytes } = await whileTampered(selo.database, ["signature.documents"], [edit], () => reportOf(stage, id));
  const { text } = inspected(bytes, "text");
  expect(text).toContain("contract \ufffdfdp.exe\ufffd");
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test("50 participants, the most, have a report", async () => {
  const members = Array.from({ length: 50 }, (_, place) => ({
    body: { name: `Person ${place + 1}`, email: `p${place}@example.com`, order_index: 1 },
  }));
  const { id } = await sentWith(stage, members, { signing_order: "parallel" });
  const found = inspected((await reportOf(stage, id)).bytes, "text", "pdfsig", "words");
  for (const place of [1, 25, 50]) expect(found.text).toContain(`${place}. Person ${place}`);
  expect(found.pdfsig).toContain("Total document signed");
  expect(outsideOf(found)).toEqual([]);
}, 120_000);

test("a signature as it was drawn stands on the page: without it the page is another", async () => {
  const given = async (signature: object) => {
    const { id, links } = await sentWith(stage);
    await complete(stage, links[0], { signature });
    return (await reportOf(stage, id)).bytes;
  };
  const dot = darkDots(await given({ kind: "drawn", ratio: 0.4, paths: [[[0.5, 0.5]]] }));
  const lines = Array.from({ length: 20 }, (_, line) => [
    [0, line / 20],
    [1, line / 20],
  ]);
  expect(darkDots(await given({ kind: "drawn", ratio: 0.4, paths: lines }))).toBeGreaterThan(dot + 3000);
});

test("the seal is never older than its certificate", async () => {
  const sealer = new PdfSealer(worker.context.jobs, masterKeys);
  const given = { pdf: contentOf("x", 1), environment: "test", reason: "Envelope", stamps: [] } as const;
  const sealed = await sealer.seal({ ...given, at: new Date("2001-01-01T00:00:00Z") });
  const [certificate] = (await worker.context.jobs.sealCertificates()).filter((each) => each.environment === "test");
  const [, digits = ""] = /\/M ?\(D:(\d{14})/.exec(sealed.toString("latin1")) ?? [];
  expect(digits).toBe(certificate?.notBefore.toISOString().replaceAll(/\D/g, "").slice(0, 14));
});
