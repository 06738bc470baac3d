// GET /public/proofs/{code} re-verifies both signatures against the key registry, and says so per signature.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { tamper } from "../../support/tamper.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Test Organization" });
});
afterAll(() => selo.stop());

interface Registered {
  readonly id: string;
  readonly sha256: string;
  readonly verification_code: string;
  readonly platform_key_id: string;
  readonly platform_pq_key_id: string;
}

async function register(environment: "live" | "test" = "live", members: object = {}): Promise<Registered> {
  const body = {
    sha256: randomBytes(32).toString("hex"),
    label: "Contract",
    file_name: "secret.pdf",
    file_size: 7,
    ...members,
  };
  const made = await call(selo, "POST", "/proofs", { token: organization[environment], body });
  expect(made.status).toBe(201);
  return made.body;
}

type Statement = [string, unknown[]];
const set =
  (assignment: string) =>
  ({ id }: Registered): Statement => [`update signature.proofs set ${assignment} where id = $1`, [id]];
const evidence = (change: string) => set(`evidence = ${change}`);
const flip = (column: string, byte: number) =>
  set(`${column} = set_byte(${column}, ${byte}, get_byte(${column}, ${byte}) # 1)`);

const RECORD = "the evidence differs from the record";
const NO_FORM = "the evidence has no canonical form";
const NOTHING = { organization: "", evidence: {} };

test.each<
  [string, (proof: Registered) => Statement, fault: string | null, ed25519: boolean, mlDsa87: boolean, shown?: object]
>([
  ["nothing", set("label = label"), null, true, true],
  ["the Ed25519 signature", flip("platform_signature", 40), null, false, true],
  ["the ML-DSA-87 signature", flip("platform_signature_pq", 4_000), null, true, false],
  ["an Ed25519 signature that is zero", set("platform_signature = decode(repeat('00', 64), 'hex')"), null, false, true],
  [
    "the organization in the evidence",
    evidence("replace(evidence, 'Test Org', 'Best Org')"),
    null,
    false,
    false,
    { organization: "Best Organization" },
  ],
  ["the label in the evidence", evidence("replace(evidence, 'Contract', 'Tontract')"), RECORD, false, false],
  ["the label of the record", set("label = 'Tontract'"), RECORD, true, true, { label: "Tontract" }],
  [
    "label and evidence alike",
    set("label = 'Tontract', evidence = replace(evidence, 'Contract', 'Tontract')"),
    null,
    false,
    false,
  ],
  ["the digest of the record", set("sha256 = sha256('other'::bytea)"), RECORD, true, true],
  ["the instant of the record", set("registered_at = registered_at - interval '1 microsecond'"), RECORD, true, true],
  ["the file's name of the record", set("file_name = null"), RECORD, true, true, { redacted: ["file_size"] }],
  ["spaces in the evidence", evidence(`replace(evidence, '":', '": ')`), "the evidence is not canonical", false, false],
  [
    "a member twice in the evidence",
    evidence(`replace(evidence, '"label":', '"label":"x","label":')`),
    "the evidence is not canonical",
    false,
    false,
  ],
  [
    "the kind of the evidence",
    evidence("replace(evidence, 'existence_proof', 'contract')"),
    "the evidence is of another kind",
    false,
    false,
  ],
  [
    "evidence without an organization",
    evidence(`replace(evidence, '"organization":"Test Organization",', '')`),
    null,
    false,
    false,
    { organization: "" },
  ],
  ["evidence that breaks off", evidence("left(evidence, -1)"), NO_FORM, false, false, NOTHING],
  [
    "evidence with a fraction",
    evidence(`replace(evidence, '"schema_version":1', '"schema_version":1.5')`),
    NO_FORM,
    false,
    false,
    NOTHING,
  ],
  ["evidence with NUL", evidence(`replace(evidence, 'Contract', '\\u0000')`), NO_FORM, false, false, NOTHING],
  ["evidence that is empty", evidence("''"), NO_FORM, false, false, NOTHING],
  ["evidence that is a list", evidence(`'["secret.pdf"]'`), RECORD, false, false, NOTHING],
  ["evidence that is a text", evidence(`'"secret.pdf"'`), RECORD, false, false, NOTHING],
  ["evidence that is null", evidence("'null'"), RECORD, false, false, NOTHING],
])("somebody changed %s", async (name, change, fault, ed25519, mlDsa87, shown = {}) => {
  const proof = await register();
  await tamper(selo.database, change(proof));
  const { status, body, text } = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  const signatures = [
    { algorithm: "Ed25519", key_id: proof.platform_key_id, valid: ed25519 },
    { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, valid: mlDsa87 },
  ];
  const valid = name === "nothing";
  expect({ status, ...body }).toMatchObject({ status: 200, ...shown, verification: { valid, fault, signatures } });
  if ("evidence" in shown) expect(body.evidence).toEqual({});
  expect(text).not.toContain("secret.pdf");
  const answer = await graphql(
    selo,
    null,
    `{ publicProof(code: "${proof.verification_code}") {
      proof { organization label evidence } platformKeys { keyId } verification { valid fault signatures { valid } } } }`,
  );
  expect({ errors: answer.errors, data: answer.data }).toMatchObject({
    errors: [],
    data: { publicProof: { verification: { valid, fault, signatures: [{ valid: ed25519 }, { valid: mlDsa87 }] } } },
  });
});

test("both signatures of another proof are valid nowhere else", async () => {
  const [proof, other] = [await register(), await register()];
  await tamper(selo.database, [
    `update signature.proofs as bad set platform_signature = good.platform_signature, platform_signature_pq = good.platform_signature_pq
     from signature.proofs as good where bad.id = $1 and good.id = $2`,
    [proof.id, other.id],
  ]);
  const { body } = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  expect(body.verification).toMatchObject({
    valid: false,
    fault: null,
    signatures: [{ valid: false }, { valid: false }],
  });
});

const UNREGISTERED = "a key is not in the registry of keys of this environment";

test("a test proof that was made a live one says that its keys are not those of live", async () => {
  const proof = await register("test");
  await tamper(
    selo.database,
    ["update signature.proofs set environment = 'live' where id = $1", [proof.id]],
    ["update platform.public_codes set environment = 'live' where subject_id = $1", [proof.id]],
  );
  const { status, body } = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  expect({ status, ...body.verification }).toMatchObject({ status: 200, valid: false, fault: UNREGISTERED });
  expect(body.platform_keys.map((key: { environment: string }) => key.environment)).toEqual(["test", "test"]);
});

test("a record that names the keys of the other environment is not valid", async () => {
  const [proof, other] = [await register("live"), await register("test")];
  await tamper(selo.database, set(`platform_key_id = '${other.platform_key_id}'`)(proof));
  const { status, body } = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  expect({ status, ...body.verification }).toEqual({
    status: 200,
    valid: false,
    fault: RECORD,
    signatures: [
      { algorithm: "Ed25519", key_id: other.platform_key_id, valid: false },
      { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, valid: true },
    ],
  });
});

test("a key that is missing from the registry, or both: neither verifies nor is made up, and the digest still finds it", async () => {
  const proof = await register("live");
  const rename = (from: string, to: string): Statement => [
    "update platform.platform_keys set key_id = $2 where key_id = $1",
    [from, to],
  ];
  const ids = [proof.platform_key_id, proof.platform_pq_key_id];
  const left = [proof.platform_pq_key_id];
  for (const [number, id] of ids.entries()) {
    await tamper(selo.database, rename(id, `gone-key-${number}`));
    const { status, body } = await call(selo, "POST", "/public/proofs/verify", { body: { sha256: proof.sha256 } });
    expect({ status, ...body.verification }).toMatchObject({ status: 200, valid: false, fault: UNREGISTERED });
    expect(body.verification.signatures.map((signature: { valid: boolean }) => signature.valid)).toEqual([
      false,
      number === 0,
    ]);
    expect(body.platform_keys.map((key: { key_id: string }) => key.key_id)).toEqual(left.slice(number));
  }
  for (const [number, id] of ids.entries()) await tamper(selo.database, rename(`gone-key-${number}`, id));
  const { body } = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  expect(body.verification.valid).toBe(true);
});

test("another key under the registered id does not verify", async () => {
  const proof = await register("live");
  const key =
    "update platform.platform_keys set public_key = set_byte(public_key, 5, get_byte(public_key, 5) # 1) where key_id = $1";
  await tamper(selo.database, [key, [proof.platform_pq_key_id]]);
  const broken = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  await tamper(selo.database, [key, [proof.platform_pq_key_id]]);
  expect(broken.body.verification).toMatchObject({ valid: false, signatures: [{ valid: true }, { valid: false }] });
});

test("a proof sealed with keys that are retired since is as valid as ever", async () => {
  const proof = await register("test");
  const update = "update platform.platform_keys set status = $1, retired_at = $2 where environment = 'test'";
  await selo.database.admin.query(update, ["retired", new Date()]);
  const { body } = await call(selo, "GET", `/public/proofs/${proof.verification_code}`);
  await selo.database.admin.query(update, ["active", null]);
  expect(body.verification.valid).toBe(true);
  expect(body.platform_keys.map((key: { status: string }) => key.status)).toEqual(["retired", "retired"]);
});

test("a proof that somebody deleted is 404, also where its code is left", async () => {
  const proof = await register();
  await tamper(selo.database, ["delete from signature.proofs where id = $1", [proof.id]]);
  expectError(await call(selo, "GET", `/public/proofs/${proof.verification_code}`), 404, "proof_not_found");
});
