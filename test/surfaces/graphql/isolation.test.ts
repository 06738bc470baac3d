// The isolation matrix of GraphQL: every root field × other tenant, other environment, missing scope, anonymous.
import { createHash, randomBytes } from "node:crypto";
import { buildClientSchema, getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql, post } from "../../support/graphql-client.ts";
import { countRows } from "../../support/rest-client.ts";

const PROOF = "id sha256 label fileName verificationCode evidence";
const file = new Uint8Array(randomBytes(1_000));
const sha256 = createHash("sha256").update(file).digest("hex");
const marker = `only the owner's ${randomBytes(6).toString("hex")}`;
/** What its label says is public, the file's name is not. */
const fileName = `${marker}.pdf`;

let selo: TestGateway;
let owner: TestOrganization;
let stranger: TestOrganization;
/** What the owner has in live. */
let proof: { readonly id: string; readonly verificationCode: string };
let keyId: string;
let eventId: string;
/** Of the proof's registration, as webhooks tell of it. */
let proofEvent: string;
beforeAll(async () => {
  selo = await startTestGateway();
  owner = await selo.newOrganization({ name: "Owner" });
  stranger = await selo.newOrganization({ name: "Stranger" });
  const made = await graphql(
    selo,
    owner.live,
    `mutation { registerProof(input: {sha256: "${sha256}", label: "${marker}", fileName: "${fileName}"}) { proof { ${PROOF} } } }`,
  );
  ({ proof } = answered<{ proof: typeof proof }>(made, "registerProof"));
  const keys = await graphql(selo, owner.live, "{ platformKeys { nodes { keyId } } }");
  await selo.operator.grantCredits(owner.id, "icp_brasil", 7_777_777);
  await selo.database.admin.query("update platform.organizations set plan = 'enterprise' where id = $1", [owner.id]);
  keyId = answered<{ nodes: { keyId: string }[] }>(keys, "platformKeys").nodes[0]?.keyId ?? "";
  const events = await graphql(selo, owner.live, `{ auditEvents(first: 200) { nodes { id subjectId } } }`);
  const { nodes } = answered<{ nodes: { id: string; subjectId: string }[] }>(events, "auditEvents");
  eventId = nodes.find(({ subjectId }) => subjectId === proof.id)?.id ?? "";
  const written = await graphql(selo, owner.live, "{ webhookEvents(last: 1) { nodes { uuid } } }");
  proofEvent = answered<{ nodes: { uuid: string }[] }>(written, "webhookEvents").nodes[0]?.uuid ?? "";
  await selo.seal();
});
afterAll(() => selo.stop());

/** What anyone may see of a proof. */
const PUBLIC_PROOF =
  "proof { organization label sha256 verificationCode evidence redacted } platformKeys { keyId } verification { valid fault signatures { keyId valid } }";

const EVENT = "id action subjectId address requestId details commitments hash";
const SEAL = "number chains root evidence platformSignature platformKeyId";

const WEBHOOK = "id url description eventTypes status";
const DELIVERY = "id endpointId deliveryId eventId status";

/** The only webhook of the owner's in live, for one question, and a delivery of a test event to it. */
async function aWebhook(): Promise<{ readonly id: string; readonly deliveryId: string }> {
  await selo.database.admin.query("delete from webhooks.endpoints where tenant_id = $1", [owner.id]);
  const made = await graphql(
    selo,
    owner.live,
    `mutation { createWebhook(input: {url: "https://example.com/hook", eventTypes: ["*"], description: "${marker}"}) { webhook { id } } }`,
  );
  const { id } = answered<{ webhook: { id: string } }>(made, "createWebhook").webhook;
  const tested = await graphql(selo, owner.live, `mutation { testWebhook(input: {id: "${id}"}) { result { id } } }`);
  return { id, deliveryId: answered<{ result: { id: string } }>(tested, "testWebhook").result.id };
}
const ofWebhook =
  (document: (webhook: Awaited<ReturnType<typeof aWebhook>>) => string): RootField["ask"] =>
  (token) =>
    graphql(selo, token, document(webhook));
let webhook: Awaited<ReturnType<typeof aWebhook>>;
beforeEach(async () => {
  webhook = await aWebhook();
});

interface RootField {
  /** Null: anyone may ask, with any token or none, and all get the same. */
  readonly scope: string | null;
  /** Asks for what the owner has. */
  readonly ask: (token: string | null) => Promise<GraphqlAnswer>;
  /** What of it the answer shows; everything that is secret, unless said. */
  readonly shows?: () => readonly string[];
  /** Changes the one thing that its argument names: of another's there is none, which is 404. */
  readonly isOfOne?: true;
  /** Belongs to the organization, not to one environment of it: both are shown the same. */
  readonly isShared?: true;
}
const asks =
  (document: () => string): RootField["ask"] =>
  (token) =>
    graphql(selo, token, document());

/** A root field without an entry fails the tests: whoever adds one says here how it is kept apart. */
const rootFields: Readonly<Record<string, RootField>> = {
  creditBalances: {
    scope: "billing:read",
    ask: asks(() => "{ creditBalances { nodes { kind balance } } }"),
    shows: () => ['"balance":"7777777"'],
    isShared: true,
  },
  listCreditUsage: {
    scope: "billing:read",
    ask: asks(() => "{ listCreditUsage { day kind reason granted consumed movements } }"),
    shows: () => ['"granted":"7777777"'],
    isShared: true,
  },
  getBillingPlan: {
    scope: "billing:read",
    ask: asks(() => "{ getBillingPlan { plan features } }"),
    shows: () => ['"plan":"enterprise"'],
    isShared: true,
  },
  planFeatures: {
    scope: "billing:read",
    ask: asks(() => "{ planFeatures { nodes { feature lowestPlan included } } }"),
    shows: () => ['"included":true'],
    isShared: true,
  },
  auditEvent: {
    scope: "audit:read",
    ask: asks(() => `{ auditEvent(id: "${eventId}") { ${EVENT} } }`),
    shows: () => [proof.id],
  },
  auditEvents: {
    scope: "audit:read",
    ask: asks(() => `{ auditEvents(first: 200) { nodes { ${EVENT} } edges { cursor } } }`),
    shows: () => [proof.id],
  },
  auditSeal: {
    scope: null,
    ask: asks(() => `{ auditSeal(number: "1") { ${SEAL} } }`),
    shows: () => ['"kind":"audit_seal"'],
  },
  auditSeals: {
    scope: null,
    ask: asks(() => `{ auditSeals { nodes { ${SEAL} } } }`),
    shows: () => ['"kind":"audit_seal"'],
  },
  platformKey: {
    scope: null,
    ask: asks(() => `{ platformKey(keyId: "${keyId}") { keyId publicKey status } }`),
    shows: () => [keyId],
  },
  platformKeys: {
    scope: null,
    ask: asks(() => "{ platformKeys { nodes { keyId environment status publicKey } } }"),
    shows: () => [keyId],
  },
  proof: { scope: "proofs:read", ask: asks(() => `{ proof(id: "${proof.id}") { ${PROOF} } }`) },
  proofs: { scope: "proofs:read", ask: asks(() => `{ proofs(first: 200) { nodes { ${PROOF} } edges { cursor } } }`) },
  publicProof: {
    scope: null,
    ask: asks(() => `{ publicProof(code: "${proof.verificationCode}") { ${PUBLIC_PROOF} } }`),
  },
  verifyProof: { scope: null, ask: asks(() => `{ verifyProof(sha256: "${sha256}") { ${PUBLIC_PROOF} } }`) },
  searchProofs: { scope: "proofs:read", ask: asks(() => `{ searchProofs(search: "${marker}") { ${PROOF} } }`) },
  registerProof: {
    scope: "proofs:write",
    ask: asks(() => `mutation { registerProof(input: {sha256: "${sha256}"}) { created proof { ${PROOF} } } }`),
  },
  webhookEndpoint: {
    scope: "webhooks:manage",
    ask: ofWebhook(({ id }) => `{ webhookEndpoint(id: "${id}") { ${WEBHOOK} } }`),
    shows: () => [marker],
  },
  webhookEndpoints: {
    scope: "webhooks:manage",
    ask: asks(() => `{ webhookEndpoints { nodes { ${WEBHOOK} } edges { cursor } } }`),
    shows: () => [marker],
  },
  webhookDelivery: {
    scope: "webhooks:manage",
    ask: ofWebhook(({ deliveryId }) => `{ webhookDelivery(id: "${deliveryId}") { ${DELIVERY} } }`),
    shows: () => [webhook.deliveryId],
  },
  webhookDeliveries: {
    scope: "webhooks:manage",
    ask: asks(() => `{ webhookDeliveries(first: 200) { nodes { ${DELIVERY} } edges { cursor } } }`),
    shows: () => [webhook.deliveryId],
  },
  webhookEvent: {
    scope: "webhooks:manage",
    ask: asks(() => `{ webhookEvent(uuid: "${proofEvent}") { id type resourceId data } }`),
    shows: () => [proof.id, marker],
  },
  webhookEvents: {
    scope: "webhooks:manage",
    ask: asks(() => "{ webhookEvents(first: 200) { nodes { id type resourceId data } edges { cursor } } }"),
    shows: () => [proof.id, marker],
  },
  webhookEventKind: {
    scope: null,
    ask: asks(() => `{ webhookEventKind(name: "proof.registered") { name description dataSchema } }`),
    shows: () => ["verification_code"],
  },
  webhookEventKinds: {
    scope: null,
    ask: asks(() => "{ webhookEventKinds(first: 50) { nodes { name description dataSchema } } }"),
    shows: () => ["verification_code"],
  },
  createWebhook: {
    scope: "webhooks:manage",
    ask: asks(
      () =>
        `mutation { createWebhook(input: {url: "https://example.com/x", eventTypes: ["*"]}) { secret webhook { ${WEBHOOK} } } }`,
    ),
    shows: () => ["whsec_"],
  },
  updateWebhook: {
    scope: "webhooks:manage",
    ask: ofWebhook(
      ({ id }) => `mutation { updateWebhook(input: {id: "${id}", eventTypes: ["*"]}) { webhook { ${WEBHOOK} } } }`,
    ),
    shows: () => [marker],
    isOfOne: true,
  },
  rotateWebhookSecret: {
    scope: "webhooks:manage",
    ask: ofWebhook(({ id }) => `mutation { rotateWebhookSecret(input: {id: "${id}"}) { webhook { ${WEBHOOK} } } }`),
    shows: () => [marker],
    isOfOne: true,
  },
  enableWebhook: {
    scope: "webhooks:manage",
    ask: ofWebhook(({ id }) => `mutation { enableWebhook(input: {id: "${id}"}) { result { ${WEBHOOK} } } }`),
    shows: () => [marker],
    isOfOne: true,
  },
  disableWebhook: {
    scope: "webhooks:manage",
    ask: ofWebhook(({ id }) => `mutation { disableWebhook(input: {id: "${id}"}) { result { ${WEBHOOK} } } }`),
    shows: () => [marker],
    isOfOne: true,
  },
  testWebhook: {
    scope: "webhooks:manage",
    ask: ofWebhook(({ id }) => `mutation { testWebhook(input: {id: "${id}"}) { result { ${DELIVERY} } } }`),
    shows: () => [webhook.id],
    isOfOne: true,
  },
  replayWebhook: {
    scope: "webhooks:manage",
    ask: ofWebhook(
      ({ id }) => `mutation { replayWebhook(input: {id: "${id}", since: "2026-01-01T00:00:00Z"}) { result } }`,
    ),
    shows: () => ["replayed"],
    isOfOne: true,
  },
  retryWebhookDelivery: {
    scope: "webhooks:manage",
    ask: ofWebhook(
      ({ deliveryId }) =>
        `mutation { retryWebhookDelivery(input: {deliveryId: "${deliveryId}"}) { result { ${DELIVERY} } } }`,
    ),
    shows: () => [webhook.id],
    isOfOne: true,
  },
  deleteWebhook: {
    scope: "webhooks:manage",
    ask: ofWebhook(({ id }) => `mutation { deleteWebhook(input: {id: "${id}"}) { done } }`),
    shows: () => ['"done":true'],
    isOfOne: true,
  },
  uploadProof: {
    scope: "proofs:write",
    ask: (token) => {
      const query = `mutation($input: UploadProofInput!) { uploadProof(input: $input) { created proof { ${PROOF} } } }`;
      const parts = new FormData();
      parts.set("operations", JSON.stringify({ query, variables: { input: { file: null } } }));
      parts.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
      parts.set("0", new Blob([file]), "contract.pdf");
      return post(selo, token, parts, { "apollo-require-preflight": "1" });
    },
  },
};
const scoped = Object.entries(rootFields).flatMap(
  ([name, { scope, ask, shows }]): [string, string, RootField["ask"], RootField["shows"]][] =>
    scope === null ? [] : [[name, scope, ask, shows]],
);
const anyones = Object.entries(rootFields).filter(([, { scope }]) => scope === null);

const text = ({ data, errors }: GraphqlAnswer) => JSON.stringify([data, errors]);
const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];
const secrets = () => [marker, proof.id, proof.verificationCode];
/** Nothing of the owner's proof in live is in it. */
function expectNothingOf(answer: GraphqlAnswer): void {
  for (const secret of secrets()) expect(text(answer)).not.toContain(secret);
}

/** Asked for what the owner has, another is shown nothing of it. */
function expectApart(name: string, answer: GraphqlAnswer): void {
  expect(codes(answer)).toEqual(rootFields[name]?.isOfOne ? [404, "not_found"] : [200]);
  expectNothingOf(answer);
  for (const id of [webhook.id, webhook.deliveryId]) expect(text(answer)).not.toContain(id);
}

test("every root field stands in the matrix, and only those", async () => {
  const { data } = await graphql(selo, owner.live, getIntrospectionQuery());
  const schema = buildClientSchema(data as unknown as Parameters<typeof buildClientSchema>[0]);
  const names = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  expect(names.sort()).toEqual(Object.keys(rootFields).sort());
});

test("fields that ask no scope are those of the public keys, of seals, of public proofs and of kinds of events, and no others", () => {
  expect(anyones.map(([name]) => name)).toEqual([
    "auditSeal",
    "auditSeals",
    "platformKey",
    "platformKeys",
    "publicProof",
    "verifyProof",
    "webhookEventKind",
    "webhookEventKinds",
  ]);
});

describe.each(scoped)("%s", (name, scope, ask, shows = secrets) => {
  test("its owner is shown it (or the rest of this matrix shows nothing)", async () => {
    const answer = await ask(owner.live);
    expect(codes(answer)).toEqual([200]);
    for (const shown of shows()) expect(text(answer)).toContain(shown);
    if (rootFields[name]?.isShared) expect(text(await ask(owner.test))).toBe(text(answer));
  });

  test("another tenant, in either environment, is shown nothing of it", async () => {
    for (const token of [stranger.live, stranger.test]) {
      const rows = await countRows(selo);
      const answer = await ask(token);
      expectApart(name, answer);
      if (rootFields[name]?.isOfOne) expect(await countRows(selo)).toEqual(rows);
      expect(text(answer)).not.toContain(owner.id);
      if (rootFields[name]?.isShared) for (const own of shows()) expect(text(answer)).not.toContain(own);
    }
  });

  test("the same tenant's other environment is shown nothing of it", async () => {
    const rows = await countRows(selo);
    const answer = await ask(owner.test);
    expectApart(name, answer);
    if (rootFields[name]?.isOfOne) expect(await countRows(selo)).toEqual(rows);
  });

  test("a token with every scope but its own is 403 missing_scope, and writes nothing", async () => {
    const others = (await selo.operator.allScopes()).filter((each) => each !== scope);
    const token = await owner.token("live", others);
    const rows = await countRows(selo);
    const answer = await ask(token);
    expect(codes(answer)).toEqual([403, "missing_scope"]);
    expect(answer.errors[0]?.message).toContain(scope);
    expect(answer.data?.[name] ?? null).toBeNull();
    expectNothingOf(answer);
    expect(await countRows(selo)).toEqual(rows);
  });

  test("a token with its scope alone suffices", async () => {
    const answer = await ask(await owner.token("live", [scope]));
    expect(codes(answer)).toEqual([200]);
    for (const shown of rootFields[name]?.shows?.() ?? [proof.id]) expect(text(answer)).toContain(shown);
  });
});

test.each(anyones)(
  "%s answers anyone the same, with a token or without, with nothing of a tenant's that is not public",
  async (_, { ask, shows }) => {
    const unrelated = await stranger.token("test", ["documents:read"]);
    const rows = await countRows(selo);
    const answers = await Promise.all([null, owner.live, owner.test, stranger.live, unrelated].map(ask));
    for (const answer of answers) {
      expect(codes(answer)).toEqual([200]);
      expect(text(answer)).toBe(text(answers[0] as GraphqlAnswer));
      for (const shown of (shows ?? secrets)()) expect(text(answer)).toContain(shown);
      if (shows) expectNothingOf(answer);
      else expect(text(answer)).not.toContain(fileName);
    }
    expect(await countRows(selo)).toEqual(rows);
  },
);

test("platformKeys shows the active pair of each environment", async () => {
  const keys = answered<{ nodes: { environment: string; status: string }[] }>(
    (await rootFields["platformKeys"]?.ask(stranger.test)) as GraphqlAnswer,
    "platformKeys",
  );
  expect(keys.nodes.map(({ environment, status }) => `${environment} ${status}`).sort()).toEqual([
    "live active",
    "live active",
    "test active",
    "test active",
  ]);
});

test.each(scoped)("%s: anonymous is 401 unauthenticated, and writes nothing", async (name, _scope, ask) => {
  const rows = await countRows(selo);
  const answer = await ask(null);
  expect(codes(answer)).toEqual([401, "unauthenticated"]);
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(answer.data?.[name] ?? null).toBeNull();
  expectNothingOf(answer);
  expect(await countRows(selo)).toEqual(rows);
});

test.each(Object.entries(rootFields))(
  "%s: a token that is none is 401, also for what is public",
  async (_, { ask }) => {
    const rows = await countRows(selo);
    const answer = await ask(`svc_live_${"A".repeat(43)}`);
    expect(codes(answer)).toEqual([401, "unauthenticated"]);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.data).toBeUndefined();
    expect(await countRows(selo)).toEqual(rows);
  },
);
