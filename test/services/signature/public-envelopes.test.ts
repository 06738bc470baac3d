// GET /public/envelopes/{code}, POST /public/envelopes/verify: what a stranger is told about an envelope, without title and names.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, countRows, expectCommonHeaders, expectError, type RestResponse } from "../../support/rest-client.ts";
import { complete, completing, decline, evidenceOf, type SentWith, sentWith } from "./completion-stage.ts";
import { ask, type EnvelopeStage, openStage, read } from "./envelope-stage.ts";
import { aSent } from "./sending-stage.ts";
import type { Link } from "./signing-stage.ts";

let selo: TestGateway;
let stage: EnvelopeStage;
let live: EnvelopeStage;
let worker: Worker;
beforeAll(async () => {
  selo = await startTestGateway();
  stage = await openStage(selo);
  live = await openStage(selo, "live");
  worker = workerOf({ selo });
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

const find = (code: string, method = "GET") => call(selo, method, `/public/envelopes/${code}`);
const verifyDigest = (sha256: string, target: Pick<TestGateway, "baseUrl"> = selo) =>
  call(target, "POST", "/public/envelopes/verify", { body: { sha256 } });

async function codeOf(own: EnvelopeStage, id: string): Promise<string> {
  return (await read(own, id)).verification_code;
}
async function found(own: EnvelopeStage, id: string): Promise<RestResponse["body"]> {
  const { status, body, text } = await find(await codeOf(own, id));
  expect([status, text]).toEqual([200, text]);
  return body;
}

const PEOPLE = [
  { body: { name: "Zuleica Prado", email: "zuleica@example.net", cpf: "529.982.247-25", order_index: 2 } },
  { body: { name: "Otávio Reis", email: "otavio@example.net", role: "testemunha", order_index: 1 } },
  { body: { name: "Watching Wanda", email: "wanda@example.net", role: "observador", order_index: 3 } },
] as const;
const TITLE = "Divorce of Zuleica";

/** An envelope that everybody has signed, completed. */
async function aCompleted(own: EnvelopeStage, more: object = {}): Promise<SentWith> {
  const made = await sentWith(own, PEOPLE, {
    title: TITLE,
    message: "Please sign at once.",
    external_id: "secret-7",
    ...more,
  });
  const [signer, witness] = made.links;
  expect((await complete(own, signer)).status).toBe(200);
  // A witness attests, and gives no signature.
  expect((await complete(own, witness as Link, { signature: undefined })).status).toBe(200);
  await completing(own, made.id, worker);
  return made;
}

describe("a completed envelope", () => {
  let made: SentWith;
  beforeAll(async () => {
    made = await aCompleted(live);
  });

  test("is shown with organization, state, instants, roles, digests, the signed completion and its keys", async () => {
    const evidence = await evidenceOf(live, made.id);
    const own = await read(live, made.id);
    const { rows } = await selo.database.admin.query("select name from platform.organizations where id = $1", [
      live.tenantId,
    ]);
    const answer = await find(own.verification_code);
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const at = own.participants.map(({ completed_at }: { completed_at: string }) => completed_at);
    expect(answer.body).toEqual({
      organization: rows[0].name,
      status: "completed",
      environment: "live",
      sent_at: own.sent_at,
      completed_at: own.completed_at,
      participants: [
        { role: "testemunha", status: "completed", completed_at: at[1] },
        { role: "signatario", status: "completed", completed_at: at[0] },
        { role: "observador", status: "invited", completed_at: null },
      ],
      documents: [{ sha256: evidence.documents[0].sha256, final_sha256: evidence.documents[0].final_sha256 }],
      completion: evidence.completion,
      valid: true,
      platform_keys: evidence.platform_keys,
    });
    expect(Object.keys(answer.body)).toEqual(
      "organization status environment sent_at completed_at participants documents completion valid platform_keys".split(
        " ",
      ),
    );
  });

  test("is shown without title, message, names, addresses, file names, numbers and ids of participants", async () => {
    const own = await read(live, made.id);
    const { text } = await find(own.verification_code);
    const hidden = [TITLE, "Please sign", "secret-7", "Zuleica", "Otávio", "Wanda", "example.net", "982.247", ".pdf"];
    for (const piece of [...hidden, ...own.participants.map(({ id }: { id: string }) => id)])
      expect(text).not.toContain(piece);
  });

  test("is found by the digest of its sealed PDF, and not by that of the original", async () => {
    const [{ sha256, final_sha256 }] = (await evidenceOf(live, made.id)).documents;
    const byDigest = await verifyDigest(final_sha256);
    expect([byDigest.status, byDigest.text]).toEqual([200, (await find(await codeOf(live, made.id))).text]);
    expectError(await verifyDigest(sha256), 404, "envelope_not_found");
  });

  test("is the one completed first, where several have the same sealed PDF", async () => {
    const later = await aCompleted(await openStage(selo, "live"));
    const [first] = (await evidenceOf(live, made.id)).documents;
    await selo.database.admin.query(
      "update signature.envelope_documents set final_sha256 = decode($2, 'hex') where envelope_id = $1",
      [later.id, first.final_sha256],
    );
    const { body } = await verifyDigest(first.final_sha256);
    expect([body.valid, body.completion.evidence.envelope_id]).toEqual([true, made.id]);
    await selo.database.admin.query(
      "update signature.envelopes set completed_at = now() - interval '1 day' where id = $1",
      [later.id],
    );
    const other = await verifyDigest(first.final_sha256);
    expect([other.body.valid, other.body.completion.evidence.envelope_id]).toEqual([false, later.id]);
    await selo.database.admin.query(
      "update signature.envelopes set completed_at = now() + interval '1 day' where id = $1",
      [later.id],
    );
  });

  test("stays valid when its organization takes another name, which is not shown", async () => {
    const rename = (name: string) =>
      selo.database.admin.query("update platform.organizations set name = $2 where id = $1", [live.tenantId, name]);
    const before = await found(live, made.id);
    await rename("Renamed Ltda");
    try {
      expect(await found(live, made.id)).toEqual(before);
    } finally {
      await rename(before.organization);
    }
  });

  test("is the same in GraphQL", async () => {
    const code = await codeOf(live, made.id);
    const rest = (await find(code)).body;
    const MEMBERS =
      "organization status environment sentAt completedAt participants { role status completedAt } documents { sha256 finalSha256 } completion { id evidence platformSignaturePq } valid platformKeys { keyId }";
    const { data, errors } = await graphql(
      selo,
      null,
      `{ publicEnvelope(code: "${code}") { ${MEMBERS} } verifiedEnvelope(sha256: "${rest.documents[0].final_sha256}") { ${MEMBERS} } }`,
    );
    expect(errors).toEqual([]);
    const { publicEnvelope, verifiedEnvelope } = data as Record<string, RestResponse["body"]>;
    expect(verifiedEnvelope).toEqual(publicEnvelope);
    expect(publicEnvelope).toMatchObject({
      organization: rest.organization,
      status: "COMPLETED",
      environment: rest.environment.toUpperCase(),
      sentAt: rest.sent_at,
      participants: [{ role: "TESTEMUNHA", completedAt: rest.participants[0].completed_at }, {}, {}],
      documents: [{ sha256: rest.documents[0].sha256, finalSha256: rest.documents[0].final_sha256 }],
      completion: {
        id: rest.completion.id,
        evidence: rest.completion.evidence,
        platformSignaturePq: rest.completion.platform_signature_pq,
      },
      valid: true,
    });
  });
});

describe("an envelope in each state", () => {
  const shown = async (id: string) => {
    const { status, valid, completion, completed_at, participants, documents, platform_keys } = await found(stage, id);
    expect({ valid, completion, completed_at, platform_keys }).toEqual({
      valid: null,
      completion: null,
      completed_at: null,
      platform_keys: [],
    });
    for (const document of documents)
      expect(document).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), final_sha256: null });
    return [status, participants.map((each: { status: string }) => each.status)];
  };

  test("sent, in progress, partly signed", async () => {
    const { id, links } = await sentWith(stage, [{}, {}]);
    expect(await shown(id)).toEqual(["sent", ["invited", "invited"]]);
    await selo.database.admin.query("update signature.envelopes set status = 'in_progress' where id = $1", [id]);
    expect(await shown(id)).toEqual(["in_progress", ["invited", "invited"]]);
    expect((await complete(stage, links[0])).status).toBe(200);
    expect(await shown(id)).toEqual(["partially_signed", ["completed", "invited"]]);
  });

  test("signed by all, and not sealed yet", async () => {
    const { id, links } = await sentWith(stage);
    expect((await complete(stage, links[0])).status).toBe(200);
    expect(await shown(id)).toEqual(["sent", ["completed"]]);
  });

  test("declined, cancelled, expired, failed: without the reason", async () => {
    const declined = await sentWith(stage);
    expect((await decline(stage, declined.links[0])).status).toBe(200);
    expect(await shown(declined.id)).toEqual(["declined", ["declined"]]);
    expect((await find(await codeOf(stage, declined.id))).text).not.toContain("rent");
    const { id } = await aSent(stage);
    await ask(stage, "POST", `/envelopes/${id}/cancel`, { reason: "Another contract" });
    expect(await shown(id)).toEqual(["cancelled", ["invited"]]);
    expect((await find(await codeOf(stage, id))).text).not.toContain("Another contract");
    for (const status of ["expired", "failed"]) {
      const other = await aSent(stage);
      await selo.database.admin.query("update signature.envelopes set status = $2 where id = $1", [other.id, status]);
      expect(await shown(other.id)).toEqual([status, ["invited"]]);
    }
  });

  test("of the test environment: found by its code, and never by a digest", async () => {
    const { id } = await aCompleted(stage);
    const body = await found(stage, id);
    expect([body.environment, body.status, body.valid]).toEqual(["test", "completed", true]);
    expectError(await verifyDigest(body.documents[0].final_sha256), 404, "envelope_not_found");
  });

  test("a draft has no code, and another row gives it none: 404", async () => {
    const sent = await aSent(stage);
    const code = await codeOf(stage, sent.id);
    const draft = (await ask(stage, "POST", "/envelopes", { title: TITLE })).body;
    expect(draft.verification_code).toBeNull();
    await selo.database.admin.query("update platform.public_codes set subject_id = $2 where code = $1", [
      code,
      draft.id,
    ]);
    expectError(await find(code), 404, "envelope_not_found");
  });
});

describe("a code", () => {
  test("is found in any spelling", async () => {
    const { id } = await aSent(stage);
    const code = await codeOf(stage, id);
    const { text } = await find(code);
    for (const spelling of [
      code.toLowerCase(),
      code.replaceAll("-", ""),
      code.replaceAll("-", " "),
      code.replaceAll("0", "o").replaceAll("1", "l"),
    ])
      expect((await find(encodeURIComponent(spelling))).text).toBe(text);
  });

  test.each(["0000-0000-0000", "x".repeat(101), "%00", "';--", "verify"])(
    "that no envelope has is 404: %s",
    async (code) => {
      expectError(await find(code), 404, "envelope_not_found");
    },
  );

  test("of a proof finds no envelope, and that of an envelope no proof", async () => {
    const proof = await ask(stage, "POST", "/proofs", { sha256: "ab".repeat(32) });
    expectError(await find(proof.body.verification_code), 404, "envelope_not_found");
    const { id } = await aSent(stage);
    expectError(await call(selo, "GET", `/public/proofs/${await codeOf(stage, id)}`), 404, "proof_not_found");
  });
});

test("neither writes anything, and a token changes nothing", async () => {
  const { id } = await aSent(stage);
  const code = await codeOf(stage, id);
  const rows = await countRows(selo);
  const { text } = await find(code);
  const other = await openStage(selo, "live");
  const before = await countRows(selo);
  expect((await ask(other, "GET", `/public/envelopes/${code}`)).text).toBe(text);
  await verifyDigest("00".repeat(32));
  expect(await countRows(selo)).toEqual(before);
  expect(Object.keys(rows)).toEqual(Object.keys(before));
  expect((await find(code, "HEAD")).text).toBe("");
});

test("a malformed digest is 422", async () => {
  for (const sha256 of ["", "ag".repeat(32), "ab".repeat(31), `${"ab".repeat(32)}0`])
    expectError(await verifyDigest(sha256), 422, "invalid_request");
});
