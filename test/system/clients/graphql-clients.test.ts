// Apollo Client and urql, as they come out of the box, with the types that graphql-codegen makes of schema/schema.graphql.
import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { expiredSession, signedIn } from "../../services/accounts/accounts-stage.ts";
import { invoicingCaller } from "../../services/invoicing/invoicing-stage.ts";
import { anEnvelope, aParticipant, aSendable } from "../../services/signature/envelope-stage.ts";
import { recordTomorrow } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { keepWindows } from "./endless-windows.ts";
import { installedClients } from "./packages.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);

const PAGE_SIZE = 2;
const MOST_FILE_BYTES = 10_000;
const FILE_TEXT = "a file of a client";
/** Of platform.error_codes, those that no operation of GraphQL is answered with. */
const NOT_OF_GRAPHQL = [
  "range_not_satisfiable",
  // GraphQL has no If-Match.
  "precondition_failed",
  // Documents of invoices have paths alone.
  "file_missing",
  // Signing in.
  "second_factor_required",
  "too_many_attempts",
  // Those of the signing surface, and one that nobody can get where modality qualificada is unavailable.
  "certificate_refused",
  "factor_required",
  "insufficient_icp_credits",
  "link_locked",
  "not_your_turn",
  "revocation_unknown",
  "wrong_answer",
  "wrong_code",
];

/** What test/clients/graphql/task.ts says. */
interface Ask {
  readonly code: string;
  readonly url: string;
  readonly token: string | null;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly fileBytes: number | null;
  readonly byGet: boolean;
}
interface Report {
  readonly pages: readonly (readonly string[])[];
  readonly filtered: readonly string[];
  readonly registered: unknown;
  readonly uploaded: unknown;
  readonly webhook: unknown;
  readonly kept: readonly string[] | null;
  readonly shown: readonly {
    readonly expected: string;
    readonly type: string;
    readonly codes: readonly unknown[];
    readonly messages: readonly string[];
  }[];
  readonly persisted: readonly {
    readonly method: "GET" | "POST";
    readonly newest: string;
    readonly requestsOfQuery: number;
    readonly created: boolean;
    readonly requestsOfMutation: number;
  }[];
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-graphql-clients-"));
const gateways: TestGateway[] = [];
let selo: TestGateway;
let organization: TestOrganization;

beforeAll(async () => {
  const clients = await installedClients();
  fs.cpSync(path.join(clients, "graphql"), folder, { recursive: true });
  fs.copyFileSync(path.join(clients, "package.json"), path.join(folder, "package.json"));
  fs.symlinkSync(path.join(clients, "node_modules"), path.join(folder, "node_modules"));
  await node("generate.ts", path.join(root, "schema/schema.graphql"), "operations.graphql", ".");
  selo = await startTestGateway({ PROOF_MAX_FILE_BYTES: String(MOST_FILE_BYTES) });
  gateways.push(selo);
  organization = await selo.newOrganization();
}, 400_000);
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function node(...args: string[]): Promise<string> {
  return (await run(process.execPath, args, { cwd: folder, timeout: 240_000, maxBuffer: 8 * 1024 * 1024 })).stdout;
}

const urlOf = ({ baseUrl }: TestGateway) => `${baseUrl}/graphql`;
const digest = () => randomBytes(32).toString("hex");
const registering = (sha256 = digest()) => `mutation { registerProof(input: {sha256: "${sha256}"}) { created } }`;
const PROOFS = "{ proofs(first: 1) { nodes { id } } }";
const SEARCH = `{ proofs(search: "x") { nodes { id } } }`;

test("what graphql-codegen writes of the schema compiles in strict mode, with both programs, and refuses what is wrong", async () => {
  const files = await node("node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--listFiles");
  for (const name of ["apollo.ts", "urql.ts", "generated.ts", "schema-types.ts", "mistakes.ts"])
    expect(files).toContain(path.join(folder, name));
}, 240_000);

/** Another gateway, whose token it has seen, with a fault. */
async function gatewayWith(fault: (gateway: TestGateway, token: string) => Promise<void>, environment = {}) {
  const gateway = await startTestGateway(environment);
  gateways.push(gateway);
  const { live: token } = await gateway.newOrganization();
  if (Object.keys(environment).length === 0) await graphql(gateway, token, registering());
  await fault(gateway, token);
  return { gateway, token };
}

let faulty: Record<"limited" | "broken" | "behind" | "away", Awaited<ReturnType<typeof gatewayWith>>>;
beforeAll(async () => {
  faulty = {
    limited: await gatewayWith(
      async (gateway, token) => {
        expect((await graphql(gateway, token, "{ __typename }")).status).toBe(200);
        await keepWindows(gateway);
      },
      { TOKEN_REQUESTS_PER_MINUTE: "1" },
    ),
    broken: await gatewayWith(async ({ database }) => {
      await database.admin.query("drop function gateway.find_proofs");
    }),
    behind: await gatewayWith(async ({ database }) => {
      await recordTomorrow(database);
    }),
    away: await gatewayWith(async ({ database }) => {
      await database.admin.query(`alter database ${database.name} connection limit 0`);
      await database.admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'selo gateway' and datname = current_database()",
      );
    }),
  };
}, 240_000);

/** One for each code, on the gateway that gives it. */
async function asksOf(name: string): Promise<Ask[]> {
  const { live } = organization;
  const common = { url: urlOf(selo), token: live, variables: {}, headers: {}, fileBytes: null, byGet: false };
  const key = { "idempotency-key": `conflict-${name}` };
  expect((await graphql(selo, live, registering(), {}, key)).status).toBe(200);
  const poor = await selo.newOrganization({ credits: 0 });
  const upload = "mutation Upload($file: Upload!) { uploadProof(input: {file: $file}) { created } }";

  const pdf = "mutation UploadDocument($file: Upload!) { uploadDocument(input: {file: $file}) { document { id } } }";
  const stage = { selo, tenantId: organization.id, token: live, environment: "live" } as const;
  const draft = (await anEnvelope(stage)).id;
  const texted = await aSendable(stage);
  await aParticipant(stage, texted.id, { auth_method: "otp_sms", phone: "+5511987654321" });

  const template = answered<{ template: { id: string } }>(
    await graphql(
      selo,
      live,
      `mutation { createTemplate(input: {name: "Lease", participants: [{}]}) { template { id } } }`,
    ),
    "createTemplate",
  ).template.id;

  const accountant = await signedIn(selo, organization, "accountant");
  const alone = await selo.newOrganization();
  const { limited, broken, behind, away } = faulty;
  const asks: (Partial<Ask> & Pick<Ask, "code" | "document">)[] = [
    // More tokens than are read, which no client folds into one.
    {
      code: "malformed_request",
      document: `{ proofs(filter: {registeredAt: {in: [${'"x" '.repeat(2_100)}]}}) { nodes { id } } }`,
    },
    { code: "unauthenticated", document: PROOFS, token: "svc_live_nonsense" },
    { code: "insufficient_credits", document: registering(), token: poor.live },
    { code: "missing_scope", document: PROOFS, token: await organization.token("live", ["labels:read"]) },
    {
      code: "not_found",
      document: `mutation { deleteWebhook(input: {id: "01a1fba4-b4c6-717b-8089-2cd0f88410ec"}) { done } }`,
    },
    { code: "proof_not_found", document: `{ publicProof(code: "7Q2M-K9XT-4HBC") { proof { id } } }` },
    { code: "envelope_not_found", document: `{ publicEnvelope(code: "7Q2M-K9XT-4HBC") { status } }` },
    { code: "method_not_allowed", document: registering(), byGet: true },
    { code: "conflict", document: registering(), headers: key },
    { code: "too_large", document: upload, fileBytes: MOST_FILE_BYTES + 1 },
    { code: "unsupported_media_type", document: registering(), headers: { "content-type": "text/plain" } },
    { code: "invalid_request", document: "{ proofs(first: 1000) { nodes { id } } }" },
    { code: "rate_limited", document: PROOFS, url: urlOf(limited.gateway), token: limited.token },
    { code: "internal_error", document: SEARCH, url: urlOf(broken.gateway), token: broken.token },
    { code: "clock_behind", document: registering(), url: urlOf(behind.gateway), token: behind.token },
    { code: "unprocessable_pdf", document: pdf, fileBytes: 100 },
    {
      code: "auth_method_not_allowed",
      document: `mutation { addParticipant(input: {id: "${draft}", name: "Ana", email: "ana@example.com", authMethod: NONE}) { participant { id } } }`,
    },
    {
      code: "fields_not_allowed_in_report_placement",
      document: `mutation { addField(input: {id: "${draft}", participantId: "${draft}", documentId: "${draft}", page: 1, x: 0, y: 0, width: 1, height: 1}) { field { id } } }`,
    },
    {
      code: "envelope_not_sendable",
      document: `mutation { sendEnvelope(input: {id: "${draft}"}) { envelope { id } } }`,
    },
    {
      code: "auth_method_unavailable",
      document: `mutation { sendEnvelope(input: {id: "${texted.id}"}) { envelope { id } } }`,
    },
    {
      code: "template_participant_missing_recipient",
      document: `mutation { applyTemplate(input: {id: "${template}"}) { envelope { id } } }`,
    },
    {
      code: "plan_feature_required:bulk_send",
      document: `mutation { applyTemplateInBulk(input: {id: "${template}", rows: [{}]}) { created } }`,
    },
    // Mutations: urql sends queries by GET, which takes no session.
    { code: "csrf", document: registering(), token: null, headers: { cookie: accountant.headers.cookie } },
    { code: "forbidden", document: registering(), token: null, headers: accountant.headers },
    {
      code: "last_owner",
      document: `mutation { leaveOrganization(input: {organizationId: "${alone.id}"}) { done } }`,
      token: null,
      headers: (await signedIn(selo, alone, "owner")).headers,
    },
    {
      code: "session_expired",
      document: registering(),
      token: null,
      headers: await expiredSession(selo, organization),
    },
    { code: "unavailable", document: PROOFS, url: urlOf(away.gateway), token: away.token },
    ...(await asksOfDns(name)),
    ...(await asksOfInvoicing()),
  ];
  return asks.map((ask) => ({ ...common, ...ask }));
}

/** The codes of invoices, in an organization whose issuer has no certificate. */
async function asksOfInvoicing(): Promise<(Partial<Ask> & Pick<Ask, "code" | "document">)[]> {
  const { live: token } = await selo.newOrganization();
  const { addCustomer, addDraft, addIssuer, addService } = invoicingCaller(selo, token);
  const [customer, service] = [await addCustomer(), await addService()];
  const without = await selo.newOrganization();
  const { id: strict } = await addIssuer({ municipal_code_required: true });
  const { id: issuer } = await addIssuer();
  const members = { customer_id: customer.id, service_id: service.id, amount_services: "1000.00", issuer_id: issuer };
  const draft = (await addDraft(members)).id;
  const sent = (await addDraft(members)).id;
  await selo.database.admin.query(
    "update invoicing.invoices set status = 'rejected', series = '1', number = 1 where id = $1",
    [sent],
  );
  const making = (more: string) =>
    `mutation { createInvoice(input: {customerId: "${customer.id}", serviceId: "${service.id}", amountServices: "1000.00", ${more}}) { invoice { id } } }`;
  const canceling = (reason: string) =>
    `mutation { cancelInvoice(input: {id: "${draft}", reasonCode: "2", reason: "${reason}"}) { invoice { id } } }`;
  return [
    { code: "competence_in_future", document: making('emit: false, competenceDate: "2999-12-31"'), token },
    { code: "invalid_reference", document: making('emit: false, issuerId: "nobody"'), token },
    { code: "municipal_code_required", document: making(`issuerId: "${strict}"`), token },
    { code: "provider_not_ready", document: making(`issuerId: "${issuer}"`), token },
    { code: "issuer_missing", document: making("emit: false"), token: without.live },
    { code: "invalid_status", document: canceling("O serviço não foi prestado."), token },
    { code: "reason_too_short", document: canceling("curto"), token },
    { code: "not_draft", document: `mutation { deleteInvoice(input: {id: "${sent}"}) { done } }`, token },
  ];
}

/** The codes of DNS, which keys of DNS get. */
async function asksOfDns(name: string): Promise<(Partial<Ask> & Pick<Ask, "code" | "document">)[]> {
  const { database, operator } = selo;
  await database.admin.query("update platform.plan_limits set most = 1 where plan = 'growth' and name like 'dns_%'");
  const rich = await selo.newOrganization({ plan: "business" });
  const poor = await selo.newOrganization({ plan: "growth" });
  const token = (await issueKey(operator, rich.id, name)).secret;
  const narrow = (await issueKey(operator, poor.id, name)).secret;
  const creating = (zone: string) => `mutation { createDnsZone(input: {name: "${zone}"}) { zone { id } } }`;
  const zoneOf = async (key: string, zone: string) =>
    answered<{ zone: { id: string } }>(await graphql(selo, key, creating(zone)), "createDnsZone").zone.id;
  const recording = (zoneId: string, type: string, content: string) =>
    `mutation { createDnsRecord(input: {zoneId: "${zoneId}", name: "a", type: "${type}", content: "${content}"}) { record { id } } }`;
  const importing = (zoneId: string, file: string) =>
    `mutation { importDnsZone(input: {zoneId: "${zoneId}", ${file}}) { imported } }`;
  const [zone, full] = [await zoneOf(token, `${name}.example.org`), await zoneOf(narrow, `${name}.example.net`)];
  const first = "192.0.2.1";
  for (const [key, zoneId] of [
    [token, zone],
    [narrow, full],
  ] as const)
    answered(await graphql(selo, key, recording(zoneId, "A", first)), "createDnsRecord");
  const signing = (verb: "enable" | "rotate", zoneId: string) =>
    `mutation { ${verb}Dnssec(input: {zoneId: "${zoneId}"}) { keys { keyId } } }`;
  const [signed, rotated] = [await zoneOf(token, `${name}.signed.test`), await zoneOf(token, `${name}.rotated.test`)];
  const { keys } = answered<{ keys: { keyId: string }[] }>(
    await graphql(selo, token, signing("enable", signed)),
    "enableDnssec",
  );
  const last = keys[0]?.keyId;
  answered(await graphql(selo, token, signing("enable", rotated)), "enableDnssec");
  answered(await graphql(selo, token, signing("rotate", rotated)), "rotateDnssec");
  return [
    { code: "zone_exists", document: creating(`${name}.example.net`), token },
    { code: "zone_not_allowed", document: creating("com.br"), token },
    { code: "zone_limit_reached", document: creating(`more.${name}.example.com`), token: narrow },
    { code: "record_invalid", document: recording(zone, "A", "nowhere"), token },
    { code: "record_exists", document: recording(zone, "A", first), token },
    { code: "record_conflict", document: recording(zone, "CNAME", "host.example.com"), token },
    { code: "record_limit_reached", document: recording(full, "A", "192.0.2.2"), token: narrow },
    { code: "import_invalid", document: importing(zone, `bindFile: "a"`), token },
    { code: "dnssec_disabled", document: signing("rotate", zone), token },
    { code: "dnssec_enabled", document: signing("enable", signed), token },
    { code: "rotation_in_progress", document: signing("rotate", rotated), token },
    {
      code: "last_key",
      document: `mutation { deleteDnssecKey(input: {zoneId: "${signed}", keyId: "${last}"}) { enabled } }`,
      token,
    },
    {
      code: "confirm_required",
      document: `mutation { disableDnssec(input: {zoneId: "${signed}", confirm: false}) { enabled } }`,
      token,
    },
  ];
}

describe.each([
  { name: "apollo", type: "CombinedGraphQLErrors", not: [] as string[], queriesBy: "POST" },
  // urql sends no mutation by GET, whatever it is told.
  { name: "urql", type: "CombinedError", not: ["method_not_allowed"], queriesBy: "GET" },
])("$name", ({ name, type, not, queriesBy }) => {
  const sha256 = digest();
  let asks: Ask[];
  let report: Report;
  /** Of all proofs, the newest first. */
  let ids: string[];
  /** The proof that was registered last before the program began. */
  let before: string;
  let methods: Set<string>;
  let webhookId: string;

  beforeAll(async () => {
    asks = (await asksOf(name)).filter(({ code }) => !not.includes(code));
    const first = await graphql(
      selo,
      organization.live,
      `mutation { registerProof(input: {sha256: "${digest()}"}) { proof { id registeredAt } } }`,
    );
    const { id, registeredAt } = answered<{ proof: { id: string; registeredAt: string } }>(
      first,
      "registerProof",
    ).proof;
    before = id;
    await graphql(selo, organization.live, registering());
    const create = `mutation { createWebhook(input: {url: "https://example.com/hook", eventTypes: ["message.*"]}) { webhook { id } } }`;
    const created = await graphql(selo, organization.live, create);
    webhookId = answered<{ webhook: { id: string } }>(created, "createWebhook").webhook.id;
    await graphql(selo, organization.live, `mutation { testWebhook(input: {id: "${webhookId}"}) { delivery { id } } }`);
    const task = {
      url: urlOf(selo),
      token: organization.live,
      sha256,
      label: name,
      pageSize: PAGE_SIZE,
      since: registeredAt,
      webhookId,
      asks,
    };
    const logged = selo.logs.length;
    report = JSON.parse(await node(`${name}.ts`, JSON.stringify(task)));
    methods = new Set(
      selo.logs
        .slice(logged)
        .map((line) => JSON.parse(line))
        .filter(({ route, status }) => route === "/graphql" && status === 200)
        .map(({ method }) => method),
    );
    const all = await graphql(selo, organization.live, "{ proofs(first: 200) { nodes { id } } }");
    ids = answered<{ nodes: { id: string }[] }>(all, "proofs").nodes.map(({ id }) => id);
  }, 240_000);

  test("sends mutations by POST, and queries as it does out of the box", () => {
    expect(methods).toEqual(new Set(["POST", queriesBy]));
  });

  test("reads a connection page by page", () => {
    const read = report.pages.flat();
    expect(read).toEqual(ids.slice(-read.length));
    expect(ids.slice(0, -read.length).length).toBe(report.persisted.length);
    expect(report.pages.length).toBe(Math.ceil(read.length / PAGE_SIZE));
    expect(report.pages.length).toBeGreaterThan(1);
  });

  test("filters a list, and orders it", () => {
    const read = report.pages.flat();
    const since = read.slice(0, read.indexOf(before)).reverse();
    expect(report.filtered).toEqual(since);
    expect(since.length).toBeGreaterThan(1);
  });

  test("asks for persisted queries, and falls back by itself to the documents", () => {
    const [newest] = report.pages.flat();
    expect(report.persisted).toMatchObject([
      { method: "POST", requestsOfQuery: 2, created: true, requestsOfMutation: 1 },
      { method: "GET", requestsOfQuery: 2, created: true, requestsOfMutation: 1 },
    ]);
    expect(report.persisted[0]?.newest).toBe(newest);
  });

  test("reads what an object leads to, and keeps each object by its type and id", () => {
    const [delivery] = (report.webhook as { deliveries: { nodes: { id: string; event: { id: string } }[] } }).deliveries
      .nodes;
    expect(report.webhook).toMatchObject({
      id: webhookId,
      status: "ACTIVE",
      disabledReason: null,
      deliveries: {
        totalCount: 1,
        nodes: [
          {
            status: "PENDING",
            trigger: "TEST",
            webhook: { id: webhookId, status: "ACTIVE" },
            event: { id: expect.stringMatching(/^evt_/), type: "webhook.test" },
          },
        ],
      },
    });
    if (report.kept === null) return;
    expect(report.kept).toEqual(
      expect.arrayContaining([
        `WebhookEndpoint:${webhookId}`,
        `WebhookDelivery:${delivery?.id}`,
        `WebhookEvent:${delivery?.event.id}`,
        `Proof:${report.pages[0]?.[0]}`,
      ]),
    );
  });

  test("registers a proof", () => {
    expect(report.registered).toMatchObject({ created: true, sha256, label: name });
  });

  test("uploads a file", () => {
    expect(report.uploaded).toMatchObject({
      sha256: createHash("sha256").update(FILE_TEXT).digest("hex"),
      fileName: "contract.txt",
      fileSize: String(Buffer.byteLength(FILE_TEXT)),
    });
  });

  test("is refused with every code that GraphQL has", async () => {
    const { rows } = await selo.database.admin.query<{ code: string }>("select code from platform.error_codes");
    const codes = rows.map(({ code }) => code).filter((code) => ![...NOT_OF_GRAPHQL, ...not].includes(code));
    expect(asks.map(({ code }) => code).sort()).toEqual(codes.sort());
  });

  test("shows each code in its own type of error, with a message", () => {
    for (const { expected, ...shown } of report.shown)
      expect({ expected, ...shown }).toEqual({
        expected,
        type,
        codes: [expected],
        messages: [expect.stringMatching(/./)],
      });
    expect(report.shown.map(({ expected }) => expected)).toEqual(asks.map(({ code }) => code));
  });
});
