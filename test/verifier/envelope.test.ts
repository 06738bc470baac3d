/** What an envelope proves, checked by src/verifier alone, and by a Python program that was written from its README. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/verifier/canonical-json.ts";
import { readEnvelopeEvidence } from "../../src/verifier/envelope-evidence.ts";
import { HYBRID_CHECKS } from "../../src/verifier/hybrid-signature.ts";
import { type PlatformKey, readKeys, UnreadableError } from "../../src/verifier/keys.ts";
import { readReceipt } from "../../src/verifier/receipt.ts";
import { verifyEnvelope } from "../../src/verifier/verify-envelope.ts";
import { complete, completing, sentWith } from "../services/signature/completion-stage.ts";
import { ask, contentOf, type EnvelopeStage, openStage, read } from "../services/signature/envelope-stage.ts";
import {
  attachedOf,
  byPython as checkedByPython,
  type Attached as Report,
} from "../services/signature/report-stage.ts";
import { type Worker, workerOf } from "../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { call } from "../support/rest-client.ts";
import { attacker, evidenceFile, live, pdf } from "./made-proofs.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
let report: Report;
let half: Report;
let final: Buffer;
let original: Buffer;
let keysText: string;
let keys: readonly PlatformKey[];
let code: string;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-report-"));
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo, "live");
  worker = workerOf({ selo });
  const made = await sentWith(stage, [{}, { body: { name: "João Lima", email: "joao@example.com" } }]);
  for (const link of made.links) expect((await complete(stage, link)).status).toBe(200);
  await completing(stage, made.id, worker);
  report = await attachedOf(stage, made.id);
  code = (await read(stage, made.id)).verification_code;
  const { body } = await ask(stage, "GET", `/envelopes/${made.id}/documents/${made.documentId}/download`);
  const answer = await fetch(body.url.replace("http://selo.test", selo.baseUrl));
  final = Buffer.from(await answer.arrayBuffer());
  original = contentOf(made.documentId, 2);
  const other = await sentWith(stage, [{}, {}]);
  expect((await complete(stage, other.links[0])).status).toBe(200);
  half = await attachedOf(stage, other.id);
  keysText = (await call(selo, "GET", "/public/platform-key")).text;
  keys = readKeys(keysText);
});
afterAll(async () => {
  fs.rmSync(folder, { recursive: true });
  await worker.end();
  await selo.stop();
});

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function verified(given: Report, file: Uint8Array | null = final, trusted: readonly PlatformKey[] | null = keys) {
  const evidence = readEnvelopeEvidence(JSON.stringify(given));
  if (evidence === null) throw new Error("no evidence of an envelope");
  return verifyEnvelope(HYBRID_CHECKS, evidence, file === null ? null : digest(file), trusted);
}
const results = ({ checks }: ReturnType<typeof verified>) =>
  Object.fromEntries(checks.map(({ name, result, reason }) => [name, `${result} ${reason}`]));

const byPython = (given: Report, file: Uint8Array = final) => checkedByPython(selo, given, file);

/** One event more, with the hash that continues the chain. */
function nextEvent({ payload, events }: Report): Report {
  const last = events.at(-1);
  const event = { ...last, seq: last.seq + 1, action: "envelope.viewed", prev_hash: last.hash };
  const { tenant_id, environment } = JSON.parse(payload);
  const text = canonicalJson({
    kind: "audit_event",
    schema_version: 1,
    event_id: event.id,
    tenant_id,
    environment,
    subject: { id: event.subject_id, type: event.subject_type },
    seq: event.seq,
    action: event.action,
    actor: { id: event.actor_id, type: event.actor_type },
    channel: event.channel,
    request_id: event.request_id,
    occurred_at: event.occurred_at,
    details: event.details,
    commitments: event.commitments,
  });
  return { ...event, hash: digest(Buffer.concat([Buffer.from(last.hash, "hex"), Buffer.from(text)])) };
}

const GOOD = {
  file: "passed final_matches",
  evidence: "passed canonical",
  ed25519: "passed signature_valid",
  ml_dsa_87: "passed signature_valid",
  records: "passed records_named",
  events: "passed chain_unbroken",
  openings: "passed openings_match",
  keys: "passed keys_trusted",
};

describe("the report of a completed envelope", () => {
  test("proves the sealed PDF, with all checks passed", async () => {
    const found = verified(report);
    expect([results(found), found.verdict, found.environment]).toEqual([GOOD, "proved", "live"]);
    expect(await byPython(report)).toEqual({ file: "final", faults: [] });
  });

  test("proves the document as it was before the seal, and says so", async () => {
    const found = verified(report, original);
    expect([results(found), found.verdict]).toEqual([{ ...GOOD, file: "passed original_matches" }, "proved"]);
    expect((await byPython(report, original)).file).toBe("original");
  });

  test("fails for another file, and for the sealed PDF with one byte more", async () => {
    for (const file of [Buffer.from("other"), Buffer.concat([final, Buffer.from("\n")])]) {
      const found = verified(report, file);
      expect([results(found).file, found.verdict]).toEqual(["failed digest_differs", "failed"]);
      expect((await byPython(report, file)).file).toBe("neither");
    }
  });

  test("is not proved without the file, or without the platform's keys", () => {
    expect(verified(report, null).verdict).toBe("not_proved");
    expect(results(verified(report, null)).file).toBe("not_checked no_file");
    const found = verified(report, final, null);
    expect([results(found).keys, found.verdict]).toEqual(["not_checked no_trusted_keys", "not_proved"]);
  });

  test("proves nothing with keys of the test environment", () => {
    const asTest = keys.map((key) => ({ ...key, environment: "test" as const }));
    expect(verified(report, final, asTest).verdict).toBe("test");
  });

  test("fails with other keys than the trusted ones", () => {
    const others = readKeys(JSON.stringify(attacker.keys));
    expect(results(verified(report, final, others)).keys).toBe("failed keys_not_trusted");
  });

  test("is in order without openings, which are erased one day", () => {
    const erased = structuredClone(report);
    for (const record of erased.records) record.openings = {};
    expect([results(verified(erased)).openings, verified(erased).verdict]).toEqual(["passed nothing_opened", "proved"]);
    for (const record of erased.records) delete record.openings;
    expect(verified(erased).verdict).toBe("proved");
  });

  const resign = (text: string, from: string, to: string) => text.replace(from, to);
  test.each<[string, (edited: Report) => void, failed: readonly string[]]>([
    [
      "the completion's text",
      (r) => {
        r.payload = resign(r.payload, '"environment":"live"', '"environment":"LIVE"');
      },
      ["evidence", "ed25519", "ml_dsa_87", "events"],
    ],
    [
      "the completion's form",
      (r) => {
        r.payload = r.payload.replace(",", ", ");
      },
      ["evidence", "ed25519", "ml_dsa_87", "events"],
    ],
    [
      "a record's text",
      (r) => {
        r.records[1].payload = resign(r.records[1].payload, '"signed"', '"denied"');
      },
      ["ed25519", "ml_dsa_87", "records", "events"],
    ],
    [
      "a signature",
      (r) => {
        r.records[0].signatures[0].signature = r.records[1].signatures[0].signature;
      },
      ["ed25519"],
    ],
    ["a signature: it is gone", (r) => void r.records[0].signatures.pop(), ["evidence", "ml_dsa_87", "keys"]],
    ["the records: one is gone", (r) => void r.records.pop(), ["records"]],
    ["the records: one is there twice", (r) => void r.records.push(r.records[0]), ["records"]],
    [
      "the records: one is of another envelope",
      (r) => void r.records.push(half.records[0]),
      ["evidence", "records", "events"],
    ],
    [
      "a name",
      (r) => {
        r.records[0].openings.name.value = "Somebody";
      },
      ["openings"],
    ],
    [
      "a salt, moved into the value",
      (r) => {
        const { name } = r.records[0].openings;
        r.records[0].openings.name = {
          salt: name.salt.slice(0, -2),
          value: String.fromCharCode(Number.parseInt(name.salt.slice(-2), 16)) + name.value,
        };
      },
      ["openings"],
    ],
    [
      "an opening of nothing",
      (r) => {
        r.records[0].openings.phone = r.records[0].openings.name;
      },
      ["openings"],
    ],
    [
      "an event's details",
      (r) => {
        r.events[2].details.status = "sent ";
      },
      ["events"],
    ],
    ["the events: the first is gone", (r) => void r.events.shift(), ["events"]],
    ["the events: the last is gone", (r) => void r.events.pop(), ["events"]],
    [
      "the events: two are exchanged",
      (r) => {
        [r.events[1], r.events[2]] = [r.events[2], r.events[1]];
      },
      ["events"],
    ],
    [
      "the events: those of another envelope",
      (r) => {
        r.events = half.events;
      },
      ["events"],
    ],
  ])("fails when somebody changed %s", (_, edit, failed) => {
    const edited = structuredClone(report);
    edit(edited);
    const found = verified(edited);
    expect(found.verdict).toBe("failed");
    expect(found.checks.filter(({ result }) => result === "failed").map(({ name }) => name)).toEqual(failed);
  });

  test("is what the Python program says of it, when it was changed", async () => {
    const edited = structuredClone(report);
    edited.records[0].openings.name.value = "Somebody";
    edited.records.pop();
    edited.events.pop();
    const id = JSON.parse(edited.records[0].payload).record_id;
    expect((await byPython(edited)).faults).toEqual([
      `record ${id}: has other openings`,
      "completion: is of other records",
      "completion: is of another chain",
    ]);
  });

  test("ends with the completion: an event after it is covered by nothing that is signed", async () => {
    const { envelope_id: id } = JSON.parse(report.payload);
    const { rows } = await selo.database.admin.query(
      "select count(*)::int as n from platform.audit_events where subject_id = $1",
      [id],
    );
    expect(rows[0].n).toBe(report.events.length);
    expect(JSON.parse(report.payload).chain.length).toBe(report.events.length - 1);
    // Whoever has the report can compute the hash of one event more.
    const longer = structuredClone(report);
    longer.events.push(nextEvent(report));
    const [first, second] = [report, longer].map((each) => verified(each));
    expect([first?.verdict, second?.verdict]).toEqual(["proved", "failed"]);
    expect(second?.checks.filter(({ result }) => result === "failed").map(({ name }) => name)).toEqual(["events"]);
    // The hash of the made event is right, or the Python program would call the chain broken, too.
    expect((await byPython(longer)).faults).toEqual(["events after the completion"]);
  });
});

describe("the report of an envelope that is not completed", () => {
  test("proves nothing, and is checked as far as it goes", async () => {
    const found = verified(half, null);
    expect([results(found), found.verdict]).toEqual([
      {
        ...GOOD,
        file: "not_checked no_file",
        evidence: "not_checked not_completed",
        records: "not_checked not_completed",
        events: "not_checked not_completed",
      },
      "not_proved",
    ]);
    expect((await byPython(half)).faults).toEqual([]);
  });

  test("fails when a record or an event was changed", () => {
    const edited = structuredClone(half);
    edited.records[0].payload = edited.records[0].payload.replace('"signed"', '"denied"');
    expect(verified(edited, null).verdict).toBe("failed");
    const cut = structuredClone(half);
    cut.events.shift();
    expect(results(verified(cut, null)).events).toBe("failed chain_broken");
    const other = structuredClone(half);
    other.envelope.envelope_id = "0197a0c0-0000-7000-8000-000000000000";
    expect(verified(other, null).verdict).toBe("failed");
  });

  test("without any record, nothing is known of its documents", () => {
    const none = { ...half, records: [] };
    expect([results(verified(none)).file, verified(none).verdict]).toEqual(["not_checked no_documents", "not_proved"]);
  });
});

describe("reading", () => {
  test("the public answer is read, too: its completion is checked, and what it does not have stays open", async () => {
    const found = verified((await call(selo, "GET", `/public/envelopes/${code}`)).body);
    expect([results(found), found.verdict]).toEqual([
      {
        ...GOOD,
        records: "not_checked not_delivered",
        events: "not_checked not_delivered",
        openings: "not_checked not_delivered",
      },
      "not_proved",
    ]);
  });

  test("a proof is no envelope, whatever stands beside it", async () => {
    const proof = await evidenceFile(live);
    for (const beside of [{}, { records: [], events: [], envelope: {} }, { label: '"envelope_completed"' }])
      expect(readEnvelopeEvidence(JSON.stringify({ ...proof, ...beside }))).toBeNull();
    expect(readEnvelopeEvidence("[]")).toBeNull();
    expect(readEnvelopeEvidence("{}")).toBeNull();
  });

  test.each<[string, (edited: Report) => void]>([
    ["without records", (r) => void delete r.records],
    ["without events", (r) => void delete r.events],
    [
      "with more records than an envelope can have",
      (r) => void Object.assign(r, { records: Array(61).fill(r.records[0]) }),
    ],
    ["with null in place of a record", (r) => void r.records.push(null)],
    ["with an opening without a salt", (r) => void delete r.records[0].openings.name.salt],
    ["with a signature that is no base64", (r) => void Object.assign(r.signatures[0], { signature: "?" })],
  ])("evidence %s is unreadable", (_, edit) => {
    const edited = structuredClone(report);
    edit(edited);
    expect(() => verified(edited)).toThrow(UnreadableError);
  });

  test("60 records are read", () => {
    const many = { ...report, records: Array(60).fill(report.records[0]) };
    expect(readEnvelopeEvidence(JSON.stringify(many))?.records).toHaveLength(60);
  });

  test("hostile members are refused, and throw nothing", () => {
    for (const value of [null, 1, "x", [], {}, [null], [[]], { length: "1" }, { length: 1e300 }])
      for (const name of ["documents", "records", "chain", "kind"]) {
        const edited = structuredClone(report);
        edited.payload = JSON.stringify({ ...JSON.parse(report.payload), [name]: value });
        if (name !== "kind") expect(verified(edited).verdict).toBe("failed");
        else expect(readEnvelopeEvidence(JSON.stringify(edited))).toBeNull();
        const record = structuredClone(report);
        record.records[0].payload = JSON.stringify({
          ...JSON.parse(record.records[0].payload),
          [name]: value,
          commitments: value,
        });
        expect(verified(record).verdict).toBe("failed");
        expect(verified({ ...report, events: [value] }).verdict).toBe("failed");
      }
  });

  test("a report of up to 8 MiB is read, and a receipt of up to 1 MiB", async () => {
    const padded = (mebibytes: number) => JSON.stringify({ ...report, padding: "x".repeat(mebibytes * 1_048_576) });
    const large = await readReceipt(await pdf([["evidence.json", padded(7)]]));
    expect(large).toHaveLength(padded(7).length);
    await expect(pdf([["evidence.json", padded(8)]]).then(readReceipt)).rejects.toThrow("larger than 8388608 bytes");
    const proof = JSON.stringify({ ...(await evidenceFile(live)), padding: "x".repeat(1_048_576) });
    await expect(pdf([["evidence.json", proof]]).then(readReceipt)).rejects.toThrow("larger than 1048576 bytes");
  });
});

describe("the program that anyone can download", () => {
  const verifyWith = async (given: Report, file: Uint8Array, ...more: readonly string[]) => {
    const files = {
      "file.pdf": file,
      "report.pdf": await pdf([["evidence.json", JSON.stringify(given)]]),
      "keys.json": keysText,
    };
    for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content);
    const program = path.resolve(import.meta.dirname, "../../dist/web/selo-verify.mjs");
    const args = [program, "file.pdf", "--receipt", "report.pdf", "--keys", "keys.json", ...more];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: {}, encoding: "utf8" });
    return { status, stdout, stderr };
  };

  test("proves the sealed PDF by the report, and names who signed", async () => {
    const { status, stdout, stderr } = await verifyWith(report, final);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("passed       file         is a sealed PDF of the envelope, byte for byte");
    expect(stdout).toContain(`PROVED: organization "Test Organization", completed at "`);
    expect(stdout).toContain(`code "${code}", live`);
    expect(stdout).toMatch(/^"signed" at ".*": name "Maria Souza", e-mail "p0@example.com", role "signatario"$/m);
    expect(stdout).toMatch(/name "João Lima"/);
    expect(stdout).toContain("The pages of the report were not checked");
  });

  test("says that a file is the document before the seal, or another one", async () => {
    expect((await verifyWith(report, original)).stdout).toContain("is a document as it was before the seal");
    const other = await verifyWith(report, Buffer.from("other"));
    expect([other.status, other.stdout.includes("FAILED")]).toEqual([1, true]);
  });

  test("does not prove an envelope that is not completed", async () => {
    const { body } = await ask(stage, "GET", `/envelopes/${half.envelope.envelope_id}`);
    const { status, stdout } = await verifyWith(half, contentOf(body.documents[0].document_id, 2));
    expect([status, stdout.includes("NOT PROVED"), stdout.includes("the envelope is not completed")]).toEqual([
      2,
      true,
      true,
    ]);
  });

  test("answers JSON, and unreadable evidence with 3", async () => {
    const { stdout } = await verifyWith(report, final, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "proved",
      environment: "live",
      receipt_pages: "not_checked",
      evidence: { kind: "envelope_completed" },
      records: [{ openings: { name: { value: "Maria Souza" } } }, {}],
    });
    const broken = await verifyWith({ ...report, events: undefined }, final);
    expect([broken.status, broken.stderr.includes("it has no events")]).toEqual([3, true]);
  });

  test("prints no controls of a terminal", async () => {
    const hostile = structuredClone(report);
    hostile.records[0].openings.name.value = "\u001b[2Jevil\u202e\nPROVED";
    const { status, stdout } = await verifyWith(hostile, final);
    expect(status).toBe(1);
    for (const control of ["\u001b", "\u202e"]) expect(stdout).not.toContain(control);
    expect(stdout).not.toMatch(/^PROVED/m);
  });
});
