import { randomBytes } from "node:crypto";
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  type IntrospectionQuery,
  isInputObjectType,
  isListType,
  isObjectType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql, nodeIdOf } from "../../support/graphql-client.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let organization: TestOrganization;
let schema: ReturnType<typeof buildClientSchema>;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  const { data } = await graphql(selo, organization.live, getIntrospectionQuery());
  schema = buildClientSchema(data as unknown as IntrospectionQuery);
  await selo.seal();
});
afterAll(() => selo.stop());

const NAMES_ID = /(^id|Ids?)$/;

interface Member {
  readonly path: string;
  readonly name: string;
  /** Named, without what wraps it. */
  readonly type: string;
}

const bareName = (type: object) => String(type).replaceAll(/[[\]!]/g, "");

/** Every member of an object or an input, and every argument, by its path. */
function* members(): Generator<Member> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith("__") || !(isObjectType(type) || isInputObjectType(type))) continue;
    for (const field of Object.values(type.getFields())) {
      yield { path: `${type.name}.${field.name}`, name: field.name, type: bareName(field.type) };
      for (const arg of "args" in field ? field.args : [])
        yield {
          path: `${type.name}.${field.name}(${arg.name})`,
          name: arg.name,
          type: bareName(arg.type),
        };
    }
  }
}

test("what is named id is of the type ID, or its filter, and nothing else is; there is no type UUID", () => {
  const all = [...members()];
  const ofIds = all.filter(({ name, path }) => NAMES_ID.test(name) && !path.startsWith("IDFilter"));
  expect(ofIds.length).toBeGreaterThan(30);
  for (const { path, type } of ofIds) expect([path, type]).toEqual([path, expect.stringMatching(/^ID(Filter)?$/)]);
  const others = all.filter(
    ({ name, type, path }) =>
      type === "ID" &&
      !NAMES_ID.test(name) &&
      !/^IDFilter\.|^ApplyTemplateInBulkPayload\.created$|^RemindParticipantsPayload\.reminded$|^Invitation\.invitedBy$/.test(
        path,
      ),
  );
  expect(others.map(({ path }) => path)).toEqual([]);
  expect(schema.getType("UUID")).toBeUndefined();
});

/** Objects without their own identity: values inside of others, answers of commands, and what is counted. */
const WITHOUT =
  /(Payload|Connection|Edge)$|^(Query|Mutation|PageInfo|ApproximateTaxes|AttachmentDownload|AuditChain|AuditChainState|AuditFault|BillingPlan|CreditUsage|DigestValidation|DnsChangedRecord|DnsImportWarning|DnsSetup|DnsSetupStep|DnsSkippedRecord|DnsZoneChange|DnssecStatus|DnssecStatusKey|DnssecWarning|DocumentDownload|DocumentPage|EnvelopeBalances|EnvelopeCost|EnvelopeDocument|EnvelopeEvidence|EnvelopeLabel|EvidencedDocument|FinalDocumentDownload|IbsCbs|InvoiceAddress|InvoiceCancellation|InvoiceFileLink|InvoiceParty|InvoicePreview|InvoiceProblem|InvoiceWithholdings|InvoicedService|IssuerCertificate|IssuerProblem|PackageError|PasskeyCreationOptions|PdfSignature|PdfSigner|ProofVerification|PublicDocument|PublicEnvelope|PublicParticipant|SecondFactor|SignInRules|SignatureVerdict|SkippedReminder|TemplateParticipant|TemplateRowError|TemplateRowFault|VerifiedProof)$/;

test("every object that has an identity has id: ID!, by which clients keep it", () => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith("__") && !WITHOUT.test(type.name),
  );
  expect(types.length).toBeGreaterThan(8);
  for (const type of types)
    expect([type.name, isObjectType(type) && String(type.getFields().id?.type)]).toEqual([type.name, "ID!"]);
});

test("whatever is read by its key is asked for by id", () => {
  const single = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ type }) => {
    const named = getNamedType(type);
    return isObjectType(named) && !/Connection$/.test(named.name) && "id" in named.getFields();
  });
  // A session acts for one organization and one person.
  const byKey = single.filter(
    ({ name, type }) => !/^(account|organization)$/.test(name) && !isListType(getNullableType(type)),
  );
  expect(byKey.map(({ name }) => name)).toContain("webhookEvent");
  for (const { name, args } of byKey)
    expect([name, args.map(({ name: arg, type }) => `${arg}: ${type}`)]).toEqual([name, ["id: ID!"]]);
});

interface Identified {
  readonly id: string;
}
const listed = async (field: string, more = "") => {
  const answer = await graphql(selo, organization.live, `{ ${field}(first: 1) { nodes { id ${more} } } }`);
  expect(answer.errors).toEqual([]);
  const [node] = answered<{ nodes: (Identified & Record<string, string>)[] }>(answer, field).nodes;
  if (node === undefined) throw new Error(`${field} has no item`);
  return node;
};

test.each([
  ["platformKeys", "platformKey", "keyId"],
  ["auditSeals", "auditSeal", "number"],
  ["webhookEventKinds", "webhookEventKind", "name"],
])("%s are identified by what their key is", async (list, one, key) => {
  const node = await listed(list, key);
  expect(node.id).toBe(node[key]);
  const answer = await graphql(selo, organization.live, `query ($id: ID!) { ${one}(id: $id) { id ${key} } }`, {
    id: node.id,
  });
  expect(answer.data).toEqual({ [one]: node });
});

test("an event is asked for by the id that receivers and REST have", async () => {
  const webhooks = webhookCaller(selo, organization.live);
  const { id } = await webhooks.register();
  await webhooks.ask("POST", `/webhooks/${id}/test`);
  const node = await listed("webhookEvents");
  expect(node.id).toMatch(/^evt_[0-9a-f]{32}$/);
  expect((await webhooks.ask("GET", `/events/${node.id}`)).body.id).toBe(node.id);
  const answer = await graphql(selo, organization.live, `{ webhookEvent(id: "${node.id}") { id } }`);
  expect(answer.data).toEqual({ webhookEvent: { id: node.id } });
  const none = await graphql(selo, organization.live, `{ webhookEvent(id: "evt_${"0".repeat(32)}") { id } }`);
  expect(none).toMatchObject({ status: 200, data: { webhookEvent: null }, errors: [] });
});

describe("node reads an object by its nodeId", () => {
  const NONE = "01a1fba4-b4c6-717b-8089-2cd0f88410ec";
  const read = (id: string, fields = "__typename nodeId ... on Proof { id }") =>
    graphql(selo, organization.live, `query ($id: ID!) { node(id: $id) { ${fields} } }`, { id });
  const register = async (fields: string) =>
    answered<{ proof: Identified & { nodeId: string } }>(
      await graphql(
        selo,
        organization.live,
        `mutation { registerProof(input: {sha256: "${randomBytes(32).toString("hex")}"}) { proof { id nodeId ${fields} } } }`,
      ),
      "registerProof",
    ).proof;

  test("that of a mutation's row is the one that a query answers", async () => {
    const { id, nodeId } = await register("sha256");
    expect(nodeId).toBe(nodeIdOf("Proof", id));
    const answer = await graphql(selo, organization.live, `{ proof(id: "${id}") { nodeId } }`);
    expect(answer.data).toEqual({ proof: { nodeId } });
    expect((await read(nodeId)).data).toEqual({ node: { __typename: "Proof", nodeId, id } });
  });

  test("objects of several types in one document, each by its own", async () => {
    const { id } = await register("");
    const answer = await graphql(
      selo,
      organization.live,
      `{ proof: node(id: "${nodeIdOf("Proof", id)}") { ...Facts } seal: node(id: "${nodeIdOf("AuditSeal", "1")}") { ...Facts }
        kind: node(id: "${nodeIdOf("WebhookEventKind", "proof.registered")}") { ...Facts } none: node(id: "${nodeIdOf("Proof", NONE)}") { ...Facts } }
      fragment Facts on Node { __typename ... on Proof { id platformKey { keyId } } ... on AuditSeal { number } ... on WebhookEventKind { name } }`,
    );
    expect(answer).toMatchObject({
      status: 200,
      errors: [],
      data: {
        proof: { __typename: "Proof", id, platformKey: { keyId: expect.any(String) } },
        seal: { __typename: "AuditSeal", number: "1" },
        kind: { __typename: "WebhookEventKind", name: "proof.registered" },
        none: null,
      },
    });
  });

  test.each([
    ["Proof", NONE],
    ["AuditSeal", "999999999"],
    ["PlatformKey", "none"],
    ["WebhookEvent", `evt_${"0".repeat(32)}`],
    ["Label", NONE],
  ])("a %s that does not exist is null, whatever the query selects", async (type, id) => {
    for (const fields of ["__typename", "nodeId", "__typename nodeId", `... on ${type} { id }`])
      expect(await read(nodeIdOf(type, id), fields)).toMatchObject({ status: 200, data: { node: null }, errors: [] });
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
  test.each([
    ["", "nothing"],
    ["nonsense", "a word"],
    [NONE, "an id"],
    [encoded(["Proof", "nonsense"]), "another form of id"],
    [encoded(["Proof", 5]), "a number"],
    [encoded(["Proof", null]), "null"],
    [encoded(["Proof"]), "no id"],
    [encoded(["Proof", NONE, NONE]), "two ids"],
    [encoded(["AuditSeal", "99999999999999999999"]), "too large a number"],
    [encoded(["PlatformKey", "\0"]), "a text that Postgres cannot keep"],
    [encoded(["PlatformKey", "\ud800"]), "half a character"],
    [encoded(["Query", "query"]), "no type of objects"],
    [encoded(["__proto__", NONE]), "a word of JavaScript"],
    [encoded([["Proof"], NONE]), "a list"],
    [encoded(NONE), "a text"],
    [encoded(null), "null alone"],
    [`${nodeIdOf("Proof", NONE)}\n`, "more behind it"],
    [nodeIdOf("Proof", NONE).replace(/=*$/, "===="), "other padding"],
  ])("%j, %s, is refused", async (id) => {
    for (const fields of ["__typename", "nodeId ... on Proof { id }"]) {
      const { status, errors } = await read(id, fields);
      expect([status, errors.map(({ message, extensions }) => [message, extensions.fields])]).toEqual([
        422,
        [["id must be a nodeId.", [{ field: "id", message: "must be a nodeId" }]]],
      ]);
    }
  });
});

describe("a wrong id is refused by the name of its member", () => {
  const EVT = "must be evt_ and 32 hexadecimal digits";
  test.each([
    ["id", "must be a UUID", `{ proof(id: "nonsense") { id } }`],
    ["id", "must be a UUID", "{ proof(id: 5) { id } }"],
    ["id", "must be a UUID", `{ proof(id: "{0190a8f0-0000-7000-8000-000000000000}") { id } }`],
    ["subjectId", "must be a UUID", `{ auditEvents(filter: {subjectId: {equalTo: "nonsense"}}) { nodes { id } } }`],
    ["subjectId", "must be a UUID", `{ auditEvents(filter: {subjectId: {equalTo: ""}}) { totalCount } }`],
    [
      "endpointId",
      "must be a UUID",
      `{ webhookDeliveries(filter: {endpointId: {in: ["nonsense"]}}) { nodes { id } } }`,
    ],
    ["id", EVT, `{ webhookEvent(id: "0190a8f0-0000-7000-8000-000000000000") { id } }`],
    ["id", "must be a whole number", `{ auditSeal(id: "first") { id } }`],
    ["id", "is too large", `{ auditSeal(id: "99999999999999999999") { id } }`],
    ["id", "must be a UUID", `mutation { enableWebhook(input: {id: "nonsense"}) { __typename } }`],
    ["id", "must be a UUID", `mutation { rotateWebhookSecret(input: {id: "nonsense"}) { __typename } }`],
    ["deliveryId", "must be a UUID", `mutation { retryWebhookDelivery(input: {deliveryId: "1"}) { __typename } }`],
  ])("%s %s: %s", async (field, message, document) => {
    const answer = await graphql(selo, organization.live, document);
    expect([answer.status, answer.errors.map(({ message, extensions }) => [message, extensions.fields])]).toEqual([
      422,
      [[`${field} ${message}.`, [{ field, message }]]],
    ]);
  });

  test("as a variable", async () => {
    const read = await graphql(selo, organization.live, "query ($id: ID!) { proof(id: $id) { id } }", {
      id: "nonsense",
    });
    expect(read.errors[0]?.message).toBe("id must be a UUID.");
  });

  test("one that names nothing is null, and not_found where something was to be done", async () => {
    const id = "01a1fba4-b4c6-717b-8089-2cd0f88410ec";
    const read = await graphql(
      selo,
      organization.live,
      `{ proof(id: "${id}") { id } webhookEndpoint(id: "${id.toUpperCase()}") { id } auditSeal(id: "999999999") { id } platformKey(id: "none") { id } }`,
    );
    expect(read).toMatchObject({
      status: 200,
      data: { proof: null, webhookEndpoint: null, auditSeal: null, platformKey: null },
      errors: [],
    });
    const done = await graphql(
      selo,
      organization.live,
      `mutation { enableWebhook(input: {id: "${id}"}) { __typename } }`,
    );
    expect(done.errors.map(({ extensions }) => extensions.code)).toEqual(["not_found"]);
  });
});
