// GET /signatures, GET /signatures/{id}: what participants did, as it was signed, with the participant masked.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Worker, workerOf } from "../../support/compose-mails.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";
import { complete, completing, evidenceOf, type SentWith, sentWith } from "./completion-stage.ts";
import { CPF, type EnvelopeStage } from "./envelope-stage.ts";
import type { Link } from "./signing-stage.ts";

let selo: TestGateway;
let owner: TestOrganization;
let stage: EnvelopeStage;
let worker: Worker;
/** An envelope with two signed records and a completion, and one with a third record. */
let completed: SentWith;
let other: SentWith;
let evidence: RestResponse["body"];
beforeAll(async () => {
  selo = await startTestGateway();
  owner = await selo.newOrganization();
  stage = { selo, tenantId: owner.id, token: owner.test, environment: "test" };
  worker = workerOf(stage);
  const people = [
    { body: { name: "Ana Prado", cpf: CPF, phone: "+5511987654321" } },
    { body: { name: "Otávio Reis", role: "testemunha" } },
    { body: { name: "Wanda Lima", role: "observador" } },
  ];
  completed = await sentWith(stage, people);
  const [signer, witness] = completed.links as readonly [Link, Link];
  expect((await complete(stage, signer)).status).toBe(200);
  expect((await complete(stage, witness, { signature: undefined })).status).toBe(200);
  await completing(stage, completed.id, worker);
  evidence = await evidenceOf(stage, completed.id);
  other = await sentWith(stage, [{}, { body: { role: "aprovador" } }]);
  expect((await complete(stage, other.links[0])).status).toBe(200);
});
afterAll(async () => {
  await worker.end();
  await selo.stop();
});

const get = (path: string, token = stage.token) => call(selo, "GET", `/signatures${path}`, { token });
const listed = async (query: string): Promise<RestResponse["body"]> => {
  const { status, body, text } = await get(query);
  expect([status, text]).toEqual([200, text]);
  return body;
};
const idsOf = ({ items }: RestResponse["body"]) => items.map(({ id }: { id: string }) => id);

/** What evidence says of a record, with its envelope and its participant. */
const whole = (place: number) => {
  const record = evidence.records[place];
  const participant = evidence.participants.find(({ id }: { id: string }) => id === record.participant_id);
  return { ...record, envelope_id: completed.id, participant };
};

test("a record is the one of the evidence, with its envelope and its participant as the evidence shows them", async () => {
  for (const place of [0, 1]) {
    const { status, body } = await get(`/${evidence.records[place].id}`);
    expect([status, body]).toEqual([200, whole(place)]);
    // Signed are the bytes of the canonical text.
    expect(JSON.stringify(body.evidence)).toBe(JSON.stringify(evidence.records[place].evidence));
  }
  const { participant } = (await get(`/${evidence.records[0].id}`)).body;
  expect(participant).toMatchObject({ name: "Ana Prado", cpf: "***.982.247-**", phone: "+55*********21" });
});

test("neither the completion nor an unknown id is a signature: 404 not_found", async () => {
  for (const id of [evidence.completion.id, randomUUID()]) expectError(await get(`/${id}`), 404, "not_found");
  expect(idsOf(await listed(""))).not.toContain(evidence.completion.id);
});

describe("GET /signatures", () => {
  test("lists all records, newest first, or those of an envelope", async () => {
    const [third, second, first] = idsOf(await listed(""));
    expect([first, second]).toEqual(idsOf({ items: evidence.records }));
    expect(await listed(`?envelope_id=${completed.id}`)).toEqual({
      items: [whole(1), whole(0)],
      next_cursor: null,
      total: 2,
      limit: 50,
      offset: 0,
    });
    expect(idsOf(await listed(`?envelope_id=${other.id}`))).toEqual([third]);
    expect(await listed(`?envelope_id=${randomUUID()}`)).toMatchObject({ items: [], total: 0 });
    expectError(await get("?envelope_id=x"), 422, "invalid_request");
  });

  test("pages by cursor and by offset, within a period, and answers chosen members", async () => {
    const all = idsOf(await listed(""));
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: RestResponse["body"] = await listed(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(page));
      expect(page.total).toBe(cursor === "" ? 3 : undefined);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all);
    expect(idsOf(await listed("?limit=1&offset=1"))).toEqual([all[1]]);
    const [, second] = evidence.records;
    const at = encodeURIComponent(second.evidence.signed_at);
    expect(idsOf(await listed(`?from=${at}`))).toEqual(all.slice(0, 2));
    expect(idsOf(await listed(`?to=${at}`))).toEqual(all.slice(2));
    expect((await listed("?fields=id,envelope_id&limit=1")).items).toEqual([{ id: all[0], envelope_id: other.id }]);
  });
});

test("neither another organization nor the other environment has them, nor a token without the scope", async () => {
  const stranger = await selo.newOrganization();
  const [{ id }] = evidence.records;
  for (const token of [stranger.test, stranger.live, owner.live]) {
    expectError(await get(`/${id}`, token), 404, "not_found");
    expect((await get(`?envelope_id=${completed.id}`, token)).body).toMatchObject({ items: [], total: 0 });
  }
  // Who may read records and no envelopes sees the participant with the record.
  const reader = await owner.token("test", ["signatures:read"]);
  expect((await get(`/${id}`, reader)).body).toEqual(whole(0));
  expectError(await get("", await owner.token("test", ["envelopes:read"])), 403, "missing_scope");
});

test("GraphQL has the same", async () => {
  const [{ id }] = evidence.records;
  const members =
    "id participantId envelopeId evidence platformSignature platformKey { keyId } participant { id role status authMethod name email completedAt }";
  const { data } = await graphql(
    selo,
    stage.token,
    `{ signature(id: "${id}") { ${members} }
       signatures(filter: {envelopeId: {equalTo: "${completed.id}"}}) { nodes { id } totalCount } }`,
  );
  const { participant_id, envelope_id, evidence: said, platform_signature, platform_key_id, participant } = whole(0);
  expect(data).toEqual({
    signature: {
      id,
      participantId: participant_id,
      envelopeId: envelope_id,
      evidence: said,
      platformSignature: platform_signature,
      platformKey: { keyId: platform_key_id },
      participant: {
        id: participant.id,
        role: participant.role.toUpperCase(),
        status: participant.status.toUpperCase(),
        authMethod: participant.auth_method.toUpperCase(),
        name: participant.name,
        email: participant.email,
        completedAt: participant.completed_at,
      },
    },
    signatures: {
      nodes: idsOf({ items: evidence.records })
        .reverse()
        .map((one: string) => ({ id: one })),
      totalCount: 2,
    },
  });
});
