// The dossier of an envelope. unzip, sha256sum and python3 read it, which share no code with us.
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Unsealable } from "../../../src/adapters/pdf-seal/sealing-failed.ts";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";
import {
  complete,
  completing,
  DRAWN,
  decline,
  evidenceOf,
  type SentWith,
  sentWith,
  storeContent,
  storeContents,
} from "./completion-stage.ts";
import { dossierOf, type UnpackedDossier, unpacked } from "./dossier-stage.ts";
import { anEnvelope, aSendable, ask, contentOf, type EnvelopeStage, openStage } from "./envelope-stage.ts";
import { byPython, reportOf } from "./report-stage.ts";
import { aSession, inContext } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
let sent: SentWith;
let answer: RestResponse;
let dossier: UnpackedDossier;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf(stage);
  sent = await sentWith(
    stage,
    [
      { body: { name: "Maria Souza", email: "maria@example.com" }, fields: [{ type: "texto", label: "Rent", y: 0.5 }] },
      { body: { name: "Ana Prado", email: "ana@example.com", role: "aprovador" } },
    ],
    { title: "Lease of the house" },
  );
  const [maria, ana] = sent.links;
  if (ana === undefined) throw new Error("there are two");
  await complete(stage, maria, { signature: DRAWN, values: { [sent.fields[0]?.[0] ?? ""]: "R$ 2.000" } });
  await complete(stage, ana, { signature: null });
  await completing(stage, sent.id, worker);
  answer = await dossierOf(stage, sent.id);
  dossier = unpacked(answer.bytes);
});
afterAll(async () => {
  dossier?.remove();
  await worker.end();
  await selo.stop();
});

const original = () => `originals/1-${sent.documentId}.pdf`;
const final = () => `final/1-${sent.documentId}.pdf`;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("GET /envelopes/{id}/dossier of a completed envelope", () => {
  test("answers a file to save", async () => {
    const { envelope } = await evidenceOf(stage, sent.id);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect(answer.headers.get("content-disposition")).toContain(`dossier-${envelope.verification_code}.zip`);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(Number(answer.headers.get("content-length"))).toBe(answer.bytes.length);
  });

  test("unzip, python3 and sha256sum find it sound, with these files and no others", () => {
    expect(dossier.names).toEqual([
      original(),
      final(),
      "report.pdf",
      "evidence.json",
      "keys.json",
      "LEIA-ME.txt",
      "README.txt",
      "SHA256SUMS",
    ]);
    const summed = execFileSync("sha256sum", ["-c", "--strict", "SHA256SUMS"], {
      cwd: dossier.folder,
      encoding: "utf8",
    });
    expect(summed.trim().split("\n")).toEqual(dossier.names.slice(0, -1).map((name) => `${name}: OK`));
  });

  test("has the documents, the report and the keys as they are answered elsewhere", async () => {
    const { documents } = await evidenceOf(stage, sent.id);
    expect(dossier.read(original()).equals(contentOf(sent.documentId, 2))).toBe(true);
    expect(sha256(dossier.read(final()))).toBe(documents[0].final_sha256);
    expect(dossier.read("report.pdf").equals((await reportOf(stage, sent.id)).bytes)).toBe(true);
    expect(dossier.read("keys.json").toString()).toBe((await call(selo, "GET", "/public/platform-key")).text);
  });

  test("evidence.json has every opening, the names of the files, and events as GET /audit answers them, with what opens their commitments", async () => {
    const evidence = JSON.parse(dossier.read("evidence.json").toString());
    const opened = Object.assign({}, ...evidence.records.map(({ openings }: { openings: object }) => openings));
    expect(Object.keys(opened)).toEqual(expect.arrayContaining(["name", "email", "address", "signature"]));
    expect(opened[`values.${sent.fields[0]?.[0]}`].value).toBe("R$ 2.000");
    const { documents } = await evidenceOf(stage, sent.id);
    const [{ sha256: digest, final_sha256 }] = documents;
    expect(evidence.documents).toEqual([
      { document_id: sent.documentId, position: 1, filename: "contract.pdf", sha256: digest, final_sha256 },
    ]);
    const audit = await ask(stage, "GET", `/audit?subject_id=${sent.id}&limit=100`);
    const events = audit.body.items.filter(({ seq }: { seq: number }) => seq <= evidence.events.length);
    type Event = { seq: number; address: string; commitments: object; openings: Record<string, { value: string }> };
    const listed = evidence.events.map(({ openings: _, ...event }: Event) => event);
    expect(listed).toEqual(events.sort((a: Event, b: Event) => a.seq - b.seq));
    for (const { address, commitments, openings } of evidence.events as Event[]) {
      expect(Object.keys(openings ?? {}).sort()).toEqual(Object.keys(commitments ?? {}).sort());
      if (address !== null) expect(openings["address"]?.value).toBe(address);
    }
    expect(evidence.events.some(({ address }: Event) => address !== null)).toBe(true);
    expect(await byPython(selo, evidence, dossier.read(final()))).toEqual({ file: "final", faults: [] });
  });

  test("says how to check it, in both languages, and the time of its files is the end of the envelope", async () => {
    const { envelope } = await evidenceOf(stage, sent.id);
    for (const name of ["README.txt", "LEIA-ME.txt"]) {
      const text = dossier.read(name).toString();
      for (const known of [envelope.verification_code, "sha256sum -c SHA256SUMS", "selo-verify.mjs", "pdfsig"])
        expect(text).toContain(known);
    }
    const at = new Date(envelope.completed_at);
    expect(new Set(dossier.times)).toEqual(
      new Set([`${new Date(Math.floor(at.getTime() / 2_000) * 2_000).toISOString().slice(0, 19)}`]),
    );
  });

  test("the same state gives the same bytes, with the same ETag, whole and in parts", async () => {
    await aSession(stage, sent.links[0]);
    const again = await dossierOf(stage, sent.id);
    expect(again.bytes.equals(answer.bytes)).toBe(true);
    const etag = again.headers.get("etag") ?? "";
    expect(etag).toBe(answer.headers.get("etag"));
    expect((await dossierOf(stage, sent.id, { "if-none-match": etag })).status).toBe(304);
    const part = await dossierOf(stage, sent.id, { range: "bytes=900-1999", "if-range": etag });
    expect([part.status, part.bytes.equals(answer.bytes.subarray(900, 2_000))]).toEqual([206, true]);
    const tail = await dossierOf(stage, sent.id, { range: "bytes=-100" });
    expect(tail.bytes.equals(answer.bytes.subarray(-100))).toBe(true);
  });

  test("strangers get none", async () => {
    const other = await selo.newOrganization();
    for (const token of [other.test, other.live])
      expectError(await dossierOf({ selo, token }, sent.id), 404, "not_found");
    const token = await other.token("test", ["envelopes:write"]);
    expectError(await dossierOf({ selo, token }, sent.id), 403, "missing_scope");
    expectError(await dossierOf(stage, "x"), 422, "invalid_request", ["id"]);
  });
});

describe("a dossier in other states", () => {
  test("there is none before the envelope has ended: 409", async () => {
    expectError(await dossierOf(stage, (await anEnvelope(stage)).id), 409, "conflict");
    expectError(await dossierOf(stage, (await aSendable(stage)).id), 409, "conflict");
    expectError(await dossierOf(stage, (await sentWith(stage)).id), 409, "conflict");
  });

  /** Ends an envelope that the first of two has signed. */
  const ENDINGS: Readonly<Record<string, (sent: SentWith) => Promise<unknown>>> = {
    declined: ({ links: [first, second = first] }) => decline(stage, second),
    cancelled: ({ id }) => ask(stage, "POST", `/envelopes/${id}/cancel`, { reason: "No." }),
    expired: async ({ id }) => {
      await inContext(stage, "update signature.envelopes set expires_at = now() where id = $1", [id]);
      await worker.context.jobs.call(stage, "expire_envelope", { id });
    },
    failed: async ({ id, links: [first, second = first] }) => {
      await complete(stage, second);
      const sealer = { sealFinal: () => Promise.reject(new Unsealable("the document cannot be sealed")) };
      await expect(completing(stage, id, worker, { sealer })).rejects.toThrow(Unsealable);
    },
  };

  test.each(Object.keys(ENDINGS))(
    "of an envelope that was %s it has the originals, and no sealed documents",
    async (status) => {
      const sent = await sentWith(stage, [{}, { body: { email: "b@example.com" } }]);
      const { id, documentId, links } = sent;
      await storeContents(stage, id, worker);
      await complete(stage, links[0]);
      await ENDINGS[status]?.(sent);
      const answer = await dossierOf(stage, id);
      const ended = unpacked(answer.bytes);
      try {
        expect(ended.names.filter((name) => name.includes("/"))).toEqual([`originals/1-${documentId}.pdf`]);
        execFileSync("sha256sum", ["-c", "--strict", "SHA256SUMS"], { cwd: ended.folder });
        const evidence = JSON.parse(ended.read("evidence.json").toString());
        expect(evidence.events.at(-1).action).toBe(`envelope.${status}`);
        expect(evidence.envelope.envelope_id).toBe(id);
        expect(evidence.records).toHaveLength(status === "failed" ? 2 : 1);
        expect((await dossierOf(stage, id)).headers.get("etag")).toBe(answer.headers.get("etag"));
        expect(ended.read("README.txt").toString()).toContain(`Status: ${status}`);
      } finally {
        ended.remove();
      }
    },
  );
});

describe("faults", () => {
  /** While the row of the sealed document names another object. */
  async function whilePointing(other: string, look: () => Promise<void>) {
    const { admin } = selo.database;
    const point = (id: string) =>
      admin.query("update signature.envelope_documents set final_object_id = $2 where envelope_id = $1", [sent.id, id]);
    const { rows } = await admin.query(
      "select final_object_id as id from signature.envelope_documents where envelope_id = $1",
      [sent.id],
    );
    await point(other);
    try {
      await look();
    } finally {
      await point(rows[0].id);
    }
  }

  test("a document that is not what its row says breaks the answer off", async () => {
    const other = randomUUID();
    await storeContent(stage, other, Buffer.alloc(dossier.read(final()).length, "x"), worker);
    await whilePointing(other, async () => {
      await expect(dossierOf(stage, sent.id)).rejects.toThrow();
    });
  });

  test("a failed envelope that is completed later has its sealed documents, and the time of the completion", async () => {
    const failed = await sentWith(stage);
    await complete(stage, failed.links[0]);
    const sealer = { sealFinal: () => Promise.reject(new Unsealable("the document cannot be sealed")) };
    await expect(completing(stage, failed.id, worker, { sealer })).rejects.toThrow(Unsealable);
    const before = await dossierOf(stage, failed.id);
    expect(before.status).toBe(200);
    await completing(stage, failed.id, worker);
    const after = unpacked((await dossierOf(stage, failed.id)).bytes);
    try {
      expect(after.names).toContain(`final/1-${failed.documentId}.pdf`);
      const evidence = JSON.parse(after.read("evidence.json").toString());
      expect(evidence.events.at(-1).action).toBe("envelope.completed");
    } finally {
      after.remove();
    }
  });

  test("a document of another length, or one that is gone, is a server error", async () => {
    const other = randomUUID();
    await storeContent(stage, other, Buffer.alloc(10), worker);
    for (const id of [other, randomUUID()])
      await whilePointing(id, async () => expectError(await dossierOf(stage, sent.id), 500, "internal_error"));
  });
});
