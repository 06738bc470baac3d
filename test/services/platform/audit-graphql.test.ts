// One event for every committed write through GraphQL, and the audit trail as GraphQL shows it: the same as REST.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql, post } from "../../support/graphql-client.ts";
import { call } from "../../support/rest-client.ts";

const ADDRESS = "198.51.100.8";
const headers = { "x-forwarded-for": ADDRESS };
let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ TRUST_PROXY: "1" });
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const FIELDS =
  "id action subjectType subjectId seq actorType actorId channel requestId address occurredAt details commitments prevHash hash sealedBy";
const camel = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

async function eventsOf(subjectId: string): Promise<Record<string, unknown>[]> {
  const { body } = await call(selo, "GET", `/audit?subject_id=${subjectId}`, { token: organization.live });
  return body.items;
}

test("a digest and an upload have one event each, with request id and address", async () => {
  const sha256 = randomBytes(32).toString("hex");
  const mutation = `mutation { registerProof(input: {sha256: "${sha256}"}) { proof { id } } }`;
  const digest = await graphql(selo, organization.live, mutation, {}, headers);
  const parts = new FormData();
  const query = "mutation($input: UploadProofInput!) { uploadProof(input: $input) { proof { id } } }";
  parts.set("operations", JSON.stringify({ query, variables: { input: { file: null } } }));
  parts.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
  parts.set("0", new Blob([randomBytes(100)]), "contract.pdf");
  const upload = await post(selo, organization.live, parts, headers);
  for (const [answer, field] of [
    [digest, "registerProof"],
    [upload, "uploadProof"],
  ] as const) {
    const { proof } = answered<{ proof: { id: string } }>(answer, field);
    expect(await eventsOf(proof.id)).toMatchObject([
      {
        action: "proof.registered",
        actor_type: "token",
        channel: "graphql",
        request_id: answer.headers.get("x-request-id"),
        address: ADDRESS,
      },
    ]);
  }
  // The same digest again writes nothing.
  const { rows: before } = await selo.database.admin.query("select count(*) from platform.audit_events");
  expect((await graphql(selo, organization.live, mutation)).status).toBe(200);
  expect((await selo.database.admin.query("select count(*) from platform.audit_events")).rows).toEqual(before);
});

test("auditEvents and auditEvent answer what REST answers", async () => {
  const number = await selo.seal();
  const { body } = await call(selo, "GET", "/audit?limit=200", { token: organization.live });
  const rest = body.items.map((item: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(item).map(([name, value]) => [camel(name), value])),
  );
  const listed = await graphql(selo, organization.live, `{ auditEvents(first: 100) { nodes { ${FIELDS} } } }`);
  // GraphQL's BigInt is a string, its instants have what offset they like.
  const same = (event: Record<string, unknown>) => ({
    ...event,
    seq: Number(event["seq"]),
    sealedBy: event["sealedBy"] === null ? null : Number(event["sealedBy"]),
    occurredAt: new Date(String(event["occurredAt"])).toISOString(),
  });
  const { nodes } = answered<{ nodes: Record<string, unknown>[] }>(listed, "auditEvents");
  expect(nodes.map(same)).toEqual(rest.map(same));
  expect(rest[0].sealedBy).toBe(number);
  const one = await graphql(selo, organization.live, `{ auditEvent(id: "${rest[0].id}") { ${FIELDS} } }`);
  expect(same(answered(one, "auditEvent"))).toEqual(same(rest[0]));
  const ofSubject = `{ auditEvents(filter: {subjectId: {equalTo: "${rest[0].subjectId}"}}) { nodes { id } } }`;
  expect(
    answered<{ nodes: unknown[] }>(await graphql(selo, organization.live, ofSubject), "auditEvents").nodes,
  ).toEqual([{ id: rest[0].id }]);
});

test("platformKeys shows the active pair of each environment", async () => {
  const keys = await graphql(selo, organization.test, "{ platformKeys { nodes { environment status } } }");
  const { nodes } = answered<{ nodes: { environment: string; status: string }[] }>(keys, "platformKeys");
  expect(nodes.map(({ environment, status }) => `${environment} ${status}`).sort()).toEqual([
    "LIVE ACTIVE",
    "LIVE ACTIVE",
    "TEST ACTIVE",
    "TEST ACTIVE",
  ]);
});
