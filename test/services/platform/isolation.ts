import { answered, graphql, nodeIdOf } from "../../support/graphql-client.ts";
import type { RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { call } from "../../support/rest-client.ts";
import { composedTestMail } from "../../support/test-mail.ts";

const EVENT = "id action subjectId address requestId details commitments hash";
const SEAL = "number chains root evidence platformSignature platformKeyId";
const TEST_MAIL = "id kind envelopeId participantId recipient subject text html link code createdAt";
/** More credits than anybody else has. */
const CREDITS = 7_777_777;

let keyId: string;
let certificateId: string;
/** An event of the owner's. */
let event: { readonly id: string; readonly subjectId: string };
/** A token of the owner's that may be revoked. */
let token: { readonly id: string; readonly name: string };
/** A mail to somebody else, in the owner's test environment. */
let testMail: { readonly id: string; readonly recipient: string };

const asks =
  (document: () => string): RootField["ask"] =>
  ({ selo }: Stage, token) =>
    graphql(selo, token, document());

const ofPeople = (scope: string, document: () => string, more: Partial<RootField> = {}): RootField => ({
  scope,
  ask: asks(document),
  shows: () => [],
  isOfPeople: true,
  isShared: true,
  ...more,
});
let tokens = 0;

export const isolation: ServiceIsolation = {
  async prepare({ selo, owner, marker }) {
    await selo.operator.grantCredits(owner.id, "icp_brasil", CREDITS);
    await selo.database.admin.query("update platform.organizations set plan = 'enterprise' where id = $1", [owner.id]);
    const keys = await graphql(selo, owner.live, "{ platformKeys { nodes { keyId } } }");
    keyId = answered<{ nodes: { keyId: string }[] }>(keys, "platformKeys").nodes[0]?.keyId ?? "";
    const certificates = await graphql(selo, owner.live, "{ sealCertificates { nodes { certificateId } } }");
    certificateId =
      answered<{ nodes: { certificateId: string }[] }>(certificates, "sealCertificates").nodes[0]?.certificateId ?? "";
    // Of a kind that belongs to an environment.
    await call(selo, "POST", "/webhooks", {
      token: owner.live,
      body: { url: "https://example.com/audited", event_types: ["*"] },
    });
    const events = await graphql(selo, owner.live, "{ auditEvents(first: 200) { nodes { id action subjectId } } }");
    const { nodes } = answered<{ nodes: (typeof event & { action: string })[] }>(events, "auditEvents");
    event = nodes.find(({ action }) => action === "webhook.created") as typeof event;
    const recipient = `${marker.replaceAll(/\W/g, "")}@example.org`;
    testMail = { id: await composedTestMail(selo.database, owner.id, { recipient, name: marker }), recipient };
    return [event.id, testMail.id, recipient];
  },
  async renew({ selo, owner, marker }) {
    const name = `${marker} ${++tokens}`;
    token = { ...(await selo.operator.createToken(owner.id, "live", name, ["proofs:read"])), name };
  },
  rest: {
    "GET /me": ({ owner }) => ({ path: "/me", shows: [owner.id] }),
    "GET /billing/balance": () => ({ path: "/billing/balance", shows: [`"balance":${CREDITS}`], isShared: true }),
    "GET /billing/usage": () => ({ path: "/billing/usage", shows: [`"granted":${CREDITS}`], isShared: true }),
    "GET /billing/plan": () => ({ path: "/billing/plan", shows: ['"plan":"enterprise"'], isShared: true }),
    "GET /audit": () => ({ path: `/audit?subject_id=${event.subjectId}`, shows: [event.id] }),
    "GET /test-inbox": ({ marker }) => ({
      path: `/test-inbox?recipient=${testMail.recipient}`,
      shows: [testMail.id, testMail.recipient, marker],
      isOfTest: true,
    }),
    "GET /public/platform-key": () => ({ path: "/public/platform-key", shows: ['"algorithm":"ML-DSA-87"'] }),
    "GET /public/audit-seals": () => ({ path: "/public/audit-seals", shows: ['"kind":"audit_seal"'] }),
  },
  graphql: {
    apiTokens: ofPeople(
      "tokens:manage",
      () => "{ apiTokens(first: 200) { nodes { id name environment prefix scopes createdAt } totalCount } }",
      { shows: () => [token.name] },
    ),
    createApiToken: ofPeople(
      "tokens:manage",
      () =>
        `mutation { createApiToken(input: {environment: TEST, name: "another", scopes: ["proofs:read"]}) { apiToken { id } token } }`,
    ),
    revokeApiToken: ofPeople(
      "tokens:manage",
      () => `mutation { revokeApiToken(input: {id: "${token.id}"}) { apiToken { name revokedAt } } }`,
      { isOfOne: true, shows: () => [token.name] },
    ),
    organization: ofPeople("members:read", () => "{ organization { id number name contactEmail language } }", {
      shows: ({ owner }) => [owner.id],
    }),
    updateOrganization: ofPeople(
      "organization:manage",
      () => `mutation { updateOrganization(input: {language: "en"}) { organization { id } } }`,
      { shows: ({ owner }) => [owner.id] },
    ),
    creditBalances: {
      scope: "billing:read",
      ask: asks(() => "{ creditBalances { nodes { kind balance } } }"),
      shows: () => [`"balance":"${CREDITS}"`],
      isShared: true,
    },
    creditUsage: {
      scope: "billing:read",
      ask: asks(() => "{ creditUsage { day kind reason granted consumed movements } }"),
      shows: () => [`"granted":"${CREDITS}"`],
      isShared: true,
    },
    billingPlan: {
      scope: "billing:read",
      ask: asks(() => "{ billingPlan { plan features } }"),
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
      ask: asks(() => `{ auditEvent(id: "${event.id}") { ${EVENT} } }`),
      shows: () => [event.subjectId],
    },
    auditChain: {
      scope: "audit:read",
      ask: asks(() => `{ auditChain(subjectId: "${event.subjectId}") { valid length brokenAt headHash sealedBy } }`),
      shows: () => ['"valid":true'],
      isOfOne: true,
    },
    auditEvents: {
      scope: "audit:read",
      ask: asks(
        () => `{
          auditEvents(first: 200) { nodes { ${EVENT} } edges { cursor } }
          ofOne: auditEvents(filter: {subjectId: {equalTo: "${event.subjectId}"}}) { nodes { ${EVENT} } }
        }`,
      ),
      shows: () => [event.subjectId],
    },
    testMail: {
      scope: "envelopes:read",
      ask: asks(() => `{ testMail(id: "${testMail.id}") { ${TEST_MAIL} } }`),
      shows: ({ marker }) => [testMail.recipient, marker],
      isOfTest: true,
    },
    testMails: {
      scope: "envelopes:read",
      ask: asks(() => `{ testMails(first: 200) { nodes { ${TEST_MAIL} } edges { cursor } totalCount } }`),
      shows: ({ marker }) => [testMail.id, testMail.recipient, marker],
      isOfTest: true,
    },
    node: {
      scope: "audit:read",
      ask: asks(() => `{ node(id: "${nodeIdOf("AuditEvent", event.id)}") { nodeId ... on AuditEvent { ${EVENT} } } }`),
      shows: () => [event.subjectId],
    },
    auditSeal: {
      scope: null,
      ask: asks(() => `{ auditSeal(id: "1") { ${SEAL} } }`),
      shows: () => ['"kind":"audit_seal"'],
    },
    auditSeals: {
      scope: null,
      ask: asks(() => `{ auditSeals { nodes { ${SEAL} } } }`),
      shows: () => ['"kind":"audit_seal"'],
    },
    sealCertificate: {
      scope: null,
      ask: asks(() => `{ sealCertificate(id: "${certificateId}") { certificateId certificate status } }`),
      shows: () => [certificateId],
    },
    sealCertificates: {
      scope: null,
      ask: asks(() => "{ sealCertificates { nodes { certificateId environment status certificate } } }"),
      shows: () => [certificateId],
    },
    platformKey: {
      scope: null,
      ask: asks(() => `{ platformKey(id: "${keyId}") { keyId publicKey status } }`),
      shows: () => [keyId],
    },
    platformKeys: {
      scope: null,
      ask: asks(() => "{ platformKeys { nodes { keyId environment status publicKey } } }"),
      shows: () => [keyId],
    },
  },
};
