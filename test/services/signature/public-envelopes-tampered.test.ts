// GET /public/envelopes/{code} verifies both signatures of the completion anew, and compares the envelope with what was signed.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { type Edit, tamper, whileTampered } from "../../support/tamper.ts";
import { complete, completing, sentWith } from "./completion-stage.ts";
import { type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aSent } from "./sending-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let worker: Worker;
let id: string;
let code: string;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  worker = workerOf({ selo });
  ({ id, code } = await aCompleted());
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

async function aCompleted() {
  const made = await sentWith(stage, [{}, { body: { role: "observador" } }]);
  expect((await complete(stage, made.links[0])).status).toBe(200);
  await completing(stage, made.id, worker);
  return { id: made.id, code: (await read(stage, made.id)).verification_code as string };
}

const TABLES = ["envelopes", "envelope_documents", "participants", "documents", "signature_records"].map(
  (table) => `signature.${table}`,
);
const find = (of = code) => call(selo, "GET", `/public/envelopes/${of}`);
const after = (...edits: Edit[]) => whileTampered(selo.database, TABLES, edits, () => find());

const envelope = (set: string): Edit => [`update signature.envelopes set ${set} where id = $1`, [id]];
const linked = (set: string): Edit => [`update signature.envelope_documents set ${set} where envelope_id = $1`, [id]];
const signer = (set: string): Edit => [
  `update signature.participants set ${set} where envelope_id = $1 and role = 'signatario'`,
  [id],
];
const completion = (set: string): Edit => [
  `update signature.signature_records set ${set} where envelope_id = $1 and participant_id is null`,
  [id],
];
const record = (set: string): Edit => [
  `update signature.signature_records set ${set} where envelope_id = $1 and participant_id is not null`,
  [id],
];
const flip = (column: string) => `${column} = set_byte(${column}, 7, get_byte(${column}, 7) # 1)`;

test("untouched, it is valid", async () => {
  const { body } = await after(envelope("title = title"));
  expect(body.valid).toBe(true);
});

test.each<[string, () => Edit]>([
  ["the digest of the sealed PDF", () => linked(flip("final_sha256"))],
  [
    "the digest of the uploaded document",
    () => [
      `update signature.documents set ${flip("sha256")} where id = (select document_id from signature.envelope_documents where envelope_id = $1)`,
      [id],
    ],
  ],
  ["the documents: one is gone", () => ["delete from signature.envelope_documents where envelope_id = $1", [id]]],
  ["the status", () => envelope("status = 'declined'")],
  ["the instant of the completion", () => envelope("completed_at = completed_at - interval '1 microsecond'")],
  ["the code of the row", () => envelope("verification_code = 'ZZZZ-ZZZZ-ZZZZ'")],
  ["the status of a participant", () => signer("status = 'declined'")],
  ["the role of a participant", () => signer("role = 'testemunha'")],
  ["the instant of a participant", () => signer("completed_at = completed_at - interval '1 microsecond'")],
  [
    "the status of who only watched",
    () => [
      "update signature.participants set status = 'completed', completed_at = now() where envelope_id = $1 and role = 'observador'",
      [id],
    ],
  ],
  ["what a participant signed", () => record(`evidence = replace(evidence, '"signed"', '"approved"')`)],
  [
    "what participants signed: a record is gone",
    () => ["delete from signature.signature_records where envelope_id = $1 and participant_id is not null", [id]],
  ],
  ["the Ed25519 signature", () => completion(flip("platform_signature"))],
  ["the ML-DSA-87 signature", () => completion(flip("platform_signature_pq"))],
  [
    "the organization in the signed text",
    () => completion("evidence = replace(evidence, 'Organization', 'Orgonization')"),
  ],
  ["the signed text: spaces", () => completion(`evidence = replace(evidence, '":', '": ')`)],
  ["the key that it names", () => completion("platform_key_id = 'ed25519-0000000000000000'")],
])("somebody changed %s: not valid", async (_, edit) => {
  const { status, body } = await after(edit());
  expect([status, body.valid]).toEqual([200, false]);
});

test.each(["left(evidence, -1)", "''", "'null'", `'["Maria Souza"]'`, `'"Maria Souza"'`])(
  "a signed text that cannot be read is not shown: %s",
  async (evidence) => {
    const { status, body, text } = await after(completion(`evidence = ${evidence}`));
    expect([status, body.valid, body.completion.evidence]).toEqual([200, false, {}]);
    expect(body.organization).toBe("Test Organization");
    expect(text).not.toContain("Maria");
  },
);

test("a completed envelope without the record of its completion is not valid", async () => {
  const { status, body } = await after([
    "delete from signature.signature_records where envelope_id = $1 and participant_id is null",
    [id],
  ]);
  expect([status, body.valid, body.completion, body.platform_keys]).toEqual([200, false, null, []]);
});

test("signatures of another envelope's completion are valid nowhere else", async () => {
  const other = await aCompleted();
  const { body } = await after([
    `update signature.signature_records as record set platform_signature = other.platform_signature, platform_signature_pq = other.platform_signature_pq
     from signature.signature_records as other
     where record.envelope_id = $1 and record.participant_id is null and other.envelope_id = $2 and other.participant_id is null`,
    [id, other.id],
  ]);
  expect(body.valid).toBe(false);
});

test("a code that was moved to another envelope finds nothing, completed or not", async () => {
  const other = await aCompleted();
  const sent = await aSent(stage);
  const { verification_code: codeOfSent } = await read(stage, sent.id);
  const move = (of: string, to: string): Edit => [
    "update platform.public_codes set subject_id = $2 where code = $1",
    [of, to],
  ];
  for (const [of, to] of [
    [code, other.id],
    [code, sent.id],
    [codeOfSent, id],
  ] as const)
    await whileTampered(selo.database, ["platform.public_codes"], [move(of, to)], async () => {
      expectError(await find(of), 404, "envelope_not_found");
    });
  expect((await find()).body.valid).toBe(true);
});

test("a key that is missing from the registry does not verify, and is not shown", async () => {
  const { body: before } = await find();
  const [key] = before.platform_keys;
  const rename = (from: string, to: string) =>
    tamper(selo.database, ["update platform.platform_keys set key_id = $2 where key_id = $1", [from, to]]);
  await rename(key.key_id, "gone-key");
  const { body } = await find();
  await rename("gone-key", key.key_id);
  expect([body.valid, body.platform_keys.length]).toEqual([false, 1]);
});

test("a completion signed by keys that are retired since is as valid as ever", async () => {
  const update = "update platform.platform_keys set status = $1, retired_at = $2 where environment = 'test'";
  await selo.database.admin.query(update, ["retired", new Date()]);
  const { body } = await find();
  await selo.database.admin.query(update, ["active", null]);
  expect([body.valid, body.platform_keys.map(({ status }: { status: string }) => status)]).toEqual([
    true,
    ["retired", "retired"],
  ]);
});
