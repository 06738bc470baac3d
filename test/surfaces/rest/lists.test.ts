// Lists that grow: pages by cursor, periods, and the members that are asked for. Each list that takes a cursor is asked.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { membersOf } from "../../../src/surfaces/openapi/schema.ts";
import { readsList, scopeOf } from "../../../src/surfaces/rest/route.ts";
import { complete, sentWith } from "../../services/signature/completion-stage.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call, expectError, type RestResponse, sendRaw } from "../../support/rest-client.ts";
import { routes } from "../../support/routes.ts";
import { composedTestMail } from "../../support/test-mail.ts";
import { ORDINARY, upload } from "../../support/uploads.ts";
import { expectDocumented, operations } from "../openapi/openapi-document.ts";

type Item = Readonly<Record<string, unknown>>;

const ROWS = 7;
const PREFIX = "http://selo.test/api/v1";

let selo: TestGateway;
let organization: TestOrganization;
let webhookId: string;
let connectorId: string;
let proofId: string;
let nextLabel = 199;

beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  for (let made = 0; made < ROWS; made++) for (const add of Object.values(adds)) await add();
});
afterAll(() => selo.stop());

const get = (path: string) => call(selo, "GET", path, { token: organization[environmentOf(path)] });
/** The test inbox is refused to live tokens. */
const environmentOf = (path: string) => (path.startsWith("/test-inbox") ? "test" : "live");
const post = (path: string, body?: object) => call(selo, "POST", path, { token: organization.live, body });

/** A row more, by the path of the list. */
const adds: Readonly<Record<string, () => Promise<void>>> = {
  "/webhooks": async () => {
    const webhook = await post("/webhooks", { url: "https://example.com/hook", event_types: ["message.sent"] });
    expect(webhook.status).toBe(201);
    webhookId ??= webhook.body.id;
  },
  "/proofs": async () => {
    const proof = await post("/proofs", { sha256: randomBytes(32).toString("hex"), label: "contract" });
    expect(proof.status).toBe(201);
    proofId ??= proof.body.id;
  },
  "/events": addEvent,
  "/documents": async () => {
    expect((await upload(selo, organization.live, ORDINARY)).status).toBe(201);
  },
  "/envelopes": async () => {
    expect((await post("/envelopes", { title: "Lease" })).status).toBe(201);
  },
  "/templates": async () => {
    expect((await post("/templates", { name: "Lease" })).status).toBe(201);
  },
  "/integrations/connectors": async () => {
    const target = { endpoint: "https://s3.example.com", region: "a", bucket: "abc", access_key_id: "a", secret: "a" };
    const made = await post("/integrations/connectors", { name: "Archive", ...target });
    expect(made.status).toBe(201);
    connectorId ??= made.body.id;
  },
  "/integrations/connectors/{id}/deliveries": async () => {
    const { body } = await post("/envelopes", { title: "Delivered" });
    await selo.database.admin.query(
      `insert into signature.package_deliveries (tenant_id, environment, connector_id, envelope_id) values ($1, 'live', $2, $3)`,
      [organization.id, connectorId, body.id],
    );
  },
  "/signatures": async () => {
    const stage = { selo, tenantId: organization.id, token: organization.live, environment: "live" } as const;
    const { rows } = await selo.database.admin.query("select from signature.signature_records where tenant_id = $1", [
      organization.id,
    ]);
    if (rows.length === 0) {
      const { links } = await sentWith(stage);
      expect((await complete(stage, links[0])).status).toBe(200);
      return;
    }
    // As the first one, but of other participants, who did not sign.
    const { body } = await post("/envelopes", { title: "Signed" });
    const { body: participant } = await post(`/envelopes/${body.id}/participants`, {
      name: "Ana",
      email: "a@example.com",
    });
    await selo.database.admin.query(
      `insert into signature.signature_records (tenant_id, id, environment, envelope_id, participant_id, evidence, platform_key_id, platform_signature,
         platform_pq_key_id, platform_signature_pq, signed_at)
       select first.tenant_id, platform.uuidv7(), first.environment, member.envelope_id, member.id,
         jsonb_set(first.evidence::jsonb, '{signed_at}', to_jsonb(platform.instant(now())))::text,
         first.platform_key_id, first.platform_signature, first.platform_pq_key_id, first.platform_signature_pq, now()
       from signature.participants as member,
         (select * from signature.signature_records where tenant_id = $2 order by id limit 1) as first
       where member.id = $1`,
      [participant.id, organization.id],
    );
  },
  "/labels": async () => {
    // By name, the newest comes first.
    expect((await post("/labels", { name: `label ${nextLabel--}` })).status).toBe(201);
  },
  "/customers": async () => {
    expect((await post("/customers", { name: "Padaria Aurora", document_type: "none" })).status).toBe(201);
  },
  "/services": async () => {
    const service = { name: "Consultoria", description: "Consultoria", national_code: "010601", iss_rate: "5.00" };
    expect((await post("/services", service)).status).toBe(201);
  },
  "/issuers": async () => {
    const issuer = { cnpj: "12345678000195", name: "Oficina", city_code: "3550308", simples: 1 };
    expect((await post("/issuers", issuer)).status).toBe(201);
  },
  "/invoices": async () => {
    const idOf = async (path: string) => (await get(path)).body.items[0].id;
    const invoice = {
      customer_id: await idOf("/customers"),
      service_id: await idOf("/services"),
      amount_services: "1",
    };
    expect((await post("/invoices", { ...invoice, emit: false })).status).toBe(201);
  },
  "/test-inbox": async () => {
    await composedTestMail(selo.database, organization.id, { recipient: "bia@example.net" });
  },
  "/public/audit-seals": async () => {
    await selo.seal();
  },
};

/** An event, and its delivery. */
async function addEvent(): Promise<void> {
  expect((await post(`/webhooks/${webhookId}/test`)).status).toBe(202);
}

/** A row more in a list. */
async function addTo(list: string): Promise<void> {
  const path = list.replace(/\?.*/, "");
  if (path === "/webhooks/{id}/deliveries") return addEvent();
  // What an organization does is recorded, and a proof is what one of the lists is about.
  const add = adds[path === "/audit" ? "/proofs" : path];
  if (add === undefined) throw new Error(`nothing is added to ${list}`);
  return add();
}

/** Every list, with the key of its items and the instant that `from` and `to` are about. */
const lists: Readonly<Record<string, { readonly key: string; readonly at: (item: Item) => unknown }>> = {
  "/proofs": { key: "id", at: (item) => item["registered_at"] },
  "/proofs?search=contract": { key: "id", at: (item) => item["registered_at"] },
  "/audit": { key: "id", at: (item) => item["occurred_at"] },
  "/audit?action=proof.registered": { key: "id", at: (item) => item["occurred_at"] },
  "/events": { key: "id", at: idInstant },
  "/webhooks": { key: "id", at: (item) => item["created_at"] },
  "/webhooks/{id}/deliveries": { key: "id", at: idInstant },
  "/test-inbox": { key: "id", at: (item) => item["created_at"] },
  "/test-inbox?recipient=bia@example.net": { key: "id", at: (item) => item["created_at"] },
  "/documents": { key: "id", at: (item) => item["created_at"] },
  "/envelopes": { key: "id", at: (item) => item["created_at"] },
  "/envelopes?search=lease": { key: "id", at: (item) => item["created_at"] },
  "/envelopes?status=draft": { key: "id", at: (item) => item["created_at"] },
  "/templates": { key: "id", at: (item) => item["created_at"] },
  "/templates?search=lease": { key: "id", at: (item) => item["created_at"] },
  "/integrations/connectors": { key: "id", at: (item) => item["created_at"] },
  "/integrations/connectors/{id}/deliveries": { key: "id", at: (item) => item["created_at"] },
  "/signatures": { key: "id", at: (item) => (item["evidence"] as Item)["signed_at"] },
  "/labels": { key: "id", at: (item) => item["created_at"] },
  "/customers": { key: "id", at: (item) => item["created_at"] },
  "/customers?search=aurora": { key: "id", at: (item) => item["created_at"] },
  "/customers?archived=false": { key: "id", at: (item) => item["created_at"] },
  "/services": { key: "id", at: (item) => item["created_at"] },
  "/services?search=0106": { key: "id", at: (item) => item["created_at"] },
  "/issuers": { key: "id", at: (item) => item["created_at"] },
  "/issuers?search=oficina": { key: "id", at: (item) => item["created_at"] },
  "/invoices": { key: "id", at: (item) => item["created_at"] },
  "/invoices?status=draft": { key: "id", at: (item) => item["created_at"] },
  "/invoices?q=consultoria": { key: "id", at: (item) => item["created_at"] },
  "/invoices?period=7d": { key: "id", at: (item) => item["created_at"] },
  "/public/audit-seals": { key: "number", at: (item) => item["sealed_at"] },
};

/** When an id of version 7 was made: its first 48 bits are milliseconds. */
function idInstant({ id }: Item): string {
  const digits = String(id).replace(/^evt_/, "").replaceAll("-", "");
  return new Date(Number.parseInt(digits.slice(0, 12), 16)).toISOString();
}

const pathOf = (list: string) => list.replace("{id}", list.startsWith("/webhooks") ? webhookId : connectorId);
const withQuery = (list: string, query: Readonly<Record<string, string>>) =>
  `${pathOf(list)}${list.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;
const nextOf = (headers: Headers) => /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? null;
const belowPrefix = (address: string) => {
  expect(address.startsWith(`${PREFIX}/`), address).toBe(true);
  return address.slice(PREFIX.length);
};

/** What a validating proxy checks: the answer is one that schema/openapi.json describes for this path. */
function expectReadAs(path: string, answer: RestResponse): void {
  const operation = operations.find((each) => each.method === "GET" && each.path === path);
  if (operation === undefined) throw new Error(`GET ${path} is not described`);
  expectDocumented(operation, answer);
}

test("every path that takes a limit takes a cursor, a period and, where its items are rows of a view, fields", () => {
  const paged = routes.filter(({ query }) => query !== undefined && "limit" in query.shape);
  expect(paged.map(({ path }) => path).sort()).toEqual(
    [...new Set(Object.keys(lists).map((list) => list.replace(/\?.*/, "")))].sort(),
  );
  for (const { path, query } of paged)
    expect([path, Object.keys(query?.shape ?? {})]).toEqual([
      path,
      expect.arrayContaining(["cursor", "from", "to", ...(path === "/events" ? [] : ["fields"])]),
    ]);
});

test("what is read by its id waits for no turn of lists, though it takes fields", () => {
  const reads = routes.filter(({ method }) => method === "GET").filter((route) => !readsList(route));
  expect(reads.map(({ path }) => path)).toEqual(expect.arrayContaining(["/proofs/{id}", "/webhooks/{id}"]));
  expect(routes.filter(readsList).map(({ path }) => path)).toContain("/billing/usage");
});

describe.each(Object.entries(lists))("%s", (list, { key, at }) => {
  const keysOf = (items: readonly Item[]) => items.map((item) => item[key]);

  test("goes from page to page by Link, and rows that are added meanwhile move nothing", async () => {
    const whole = (await get(withQuery(list, { limit: "200" }))).body;
    expect(whole.items.length).toBeGreaterThanOrEqual(ROWS);
    expect(whole.next_cursor).toBeNull();
    const first = await get(withQuery(list, { limit: "2" }));
    expect(first.body).toMatchObject({ total: whole.total, limit: 2, offset: 0 });
    const seen = [...first.body.items];
    let [page, added] = [first, false];
    for (let address = nextOf(first.headers); address !== null; address = nextOf(page.headers)) {
      expect(new URL(address).searchParams.get("cursor")).toBe(page.body.next_cursor);
      if (!added) await addTo(list);
      added = true;
      page = await get(belowPrefix(address));
      expect(page.status).toBe(200);
      expect(Object.keys(page.body)).toEqual(["items", "next_cursor", "limit"]);
      expect(page.headers.get("link") ?? "").not.toContain("prev");
      seen.push(...page.body.items);
    }
    expect(page.body.next_cursor).toBeNull();
    expect(keysOf(seen)).toEqual(keysOf(whole.items));
    expect((await get(withQuery(list, { limit: "1" }))).body.total).toBeGreaterThan(whole.total);
  });

  test("a page by offset goes on by offsets, with its total", async () => {
    const page = await get(withQuery(list, { limit: "2", offset: "2" }));
    const whole = (await get(withQuery(list, { limit: "200" }))).body;
    expect(page.body).toMatchObject({ total: whole.total, limit: 2, offset: 2 });
    expect(keysOf(page.body.items)).toEqual(keysOf(whole.items.slice(2, 4)));
    const link = page.headers.get("link") ?? "";
    expect(link.match(/rel="(next|prev)"/g)).toEqual(['rel="next"', 'rel="prev"']);
    expect(new URL(nextOf(page.headers) ?? "").searchParams.get("offset")).toBe("4");
  });

  test("from is in the period and to is not; a page by cursor keeps the period", async () => {
    const { items } = (await get(withQuery(list, { limit: "200" }))).body;
    const [newest, oldest] = [items[1], items[5]];
    const period = { from: String(at(oldest)), to: String(at(newest)) };
    const expected = keysOf(
      items.filter((item: Item) => String(at(item)) >= period.from && String(at(item)) < period.to),
    );
    const listed = await get(withQuery(list, period));
    expect(keysOf(listed.body.items)).toEqual(expected);
    expect(listed.body.total).toBe(expected.length);
    const first = await get(withQuery(list, { ...period, limit: "1" }));
    const next = await get(belowPrefix(nextOf(first.headers) ?? ""));
    expect(keysOf([...first.body.items, ...next.body.items])).toEqual(expected.slice(0, 2));
    for (const name of ["from", "to"])
      expectError(await get(withQuery(list, { [name]: "yesterday" })), 422, "invalid_request", [name]);
  });

  test("a cursor that is not ours is 422", async () => {
    const other = list === "/webhooks" ? "/events" : "/webhooks";
    const { next_cursor } = (await get(withQuery(other, { limit: "1" }))).body;
    const own = String((await get(withQuery(list, { limit: "1" }))).body.next_cursor);
    const parts = Buffer.from(own, "base64url").toString().split(" ");
    const half = Buffer.from(parts.slice(0, -1).join(" ")).toString("base64url");
    expect(parts.length).toBeGreaterThan(1);
    for (const cursor of [half, "", "x", "../..", `${next_cursor}`, "A".repeat(200), "A".repeat(201), "é", "a\0"])
      expectError(await get(withQuery(list, { cursor })), 422, "invalid_request", ["cursor"]);
  });

  test("a cursor and an offset together are 422", async () => {
    const { next_cursor: cursor } = (await get(withQuery(list, { limit: "1" }))).body;
    expectError(await get(withQuery(list, { cursor, offset: "1" })), 422, "invalid_request", ["offset"]);
    expect((await get(withQuery(list, { cursor, offset: "0" }))).status).toBe(200);
  });

  if (list !== "/events")
    test("fields: each member alone, as it stands in the whole; several in their order", async () => {
      const { items } = (await get(withQuery(list, { limit: "2" }))).body;
      const names = Object.keys(items[0]);
      for (const name of names) {
        const answer = await get(withQuery(list, { limit: "2", fields: name }));
        expectReadAs(list.replace(/\?.*/, ""), answer);
        const { body } = answer;
        expect(body.items).toEqual(items.map((item: Item) => ({ [name]: item[name] })));
      }
      const some = [names[2], names[0]] as string[];
      const { body, headers } = await get(withQuery(list, { limit: "2", fields: some.join(",") }));
      expect(Object.keys(body.items[0])).toEqual([names[0], names[2]]);
      const twice = await get(`${withQuery(list, { limit: "2" })}&fields=${some.join("&fields=")}`);
      expect(twice.body).toEqual(body);
      // Link goes on with what was given.
      const after = await get(belowPrefix(nextOf(twice.headers) ?? ""));
      expect(Object.keys(after.body.items[0])).toEqual([names[0], names[2]]);
      expect(Object.keys(body)).toEqual(["items", "next_cursor", "total", "limit", "offset"]);
      const next = await get(belowPrefix(nextOf(headers) ?? ""));
      expect(Object.keys(next.body.items[0])).toEqual([names[0], names[2]]);
      expect((await get(withQuery(list, { limit: "2", fields: names.join(",") }))).body.items).toEqual(items);
      for (const fields of ["", "id,", "id,other", "ID", "id, number", "evidence.sha256"])
        expectError(await get(withQuery(list, { fields })), 422, "invalid_request", ["fields"]);
    });
});

describe("fields of what is read by its id", () => {
  test.each([
    ["/proofs", () => proofId],
    ["/webhooks", () => webhookId],
  ])("%s/{id}", async (path, id) => {
    const whole = await get(`${path}/${id()}`);
    const names = Object.keys(whole.body);
    for (const name of names) {
      const answer = await get(`${path}/${id()}?fields=${name}`);
      expectReadAs(`${path}/{id}`, answer);
      expect(answer.body).toEqual({ [name]: whole.body[name] });
    }
    // The text itself: nothing is written again.
    expect((await get(`${path}/${id()}?fields=${names.join(",")}`)).text.length).toBe(whole.text.length);
    const refused = await get(`${path}/${id()}?fields=id,other,,more`);
    expectError(refused, 422, "invalid_request", ["fields"]);
    expect(refused.body.fields[0].message).toBe(
      'must have only names of members of the answer, not "other", "", "more"',
    );
    const unknown = "01a20446-4fdf-7674-8b4f-a94da6852f66";
    expectError(await get(`${path}/${unknown}?fields=id`), 404, "not_found");
  });

  test("another organization's proof is not there", async () => {
    const other = await selo.newOrganization();
    const answer = await call(selo, "GET", `/proofs/${proofId}?fields=id`, { token: other.live });
    expectError(answer, 404, "not_found");
  });
});

const anId = "01a20446-4fdf-7674-8b4f-a94da6852f66";
test.each(
  routes.flatMap((route) =>
    route.query === undefined || scopeOf(route) === null ? [] : [{ ...route, query: route.query }],
  ),
)("$method $path: a list may be repeated; any other parameter that is given twice is 422", async ({ path, query }) => {
  const lists = membersOf(query).filter(({ schema }) => schema["type"] === "array");
  const single = membersOf(query).filter((member) => !lists.includes(member));
  const address = path.replaceAll(/\{\w+\}/g, anId);
  const twice = [...single, ...lists].map(({ name, schema }) => {
    const [entry = "*"] = ((schema["items"] as Item | undefined)?.["enum"] as string[] | undefined) ?? [];
    return `${name}=${entry}&${name}=${entry}`;
  });
  const answer = await get(`${address}?${twice.join("&")}`);
  if (single.length === 0) return expect(answer.status).toBe(404);
  expectError(
    answer,
    422,
    "invalid_request",
    single.map(({ name }) => name),
  );
  for (const { message } of answer.body.fields) expect(message).toBe("is given twice");
});

test.each(["unknown", "__proto__", "constructor", "toString"])(
  "%s, given once or twice, is no parameter",
  async (name) => {
    for (const query of [`${name}=1`, `${name}=1&${name}=2`]) {
      const answer = await get(`/proofs?${query}`);
      expectError(answer, 422, "invalid_request", [name]);
      expect(answer.body.fields[0].message).toBe("is not a member of this request");
    }
  },
);

test("the chain of a subject stands on a page by cursor, too", async () => {
  const list = `/audit?subject_id=${webhookId}&limit=1`;
  const first = await get(list);
  expect(Object.keys(first.body)).toEqual(["items", "chain", "next_cursor", "total", "limit", "offset"]);
  const next = await get(belowPrefix(nextOf(first.headers) ?? ""));
  expect(Object.keys(next.body)).toEqual(["items", "chain", "next_cursor", "limit"]);
  expect(next.body.chain.length).toBe(first.body.total);
  expect(next.body.items[0].seq).toBe(first.body.items[0].seq - 1);
});

test("a request that names a host in its first line gets the address of PUBLIC_URL", async () => {
  const request = `GET http://elsewhere.test/api/v1/public/audit-seals?limit=1 HTTP/1.1\r\nHost: elsewhere.test\r\nConnection: close\r\n\r\n`;
  const answer = await sendRaw(selo, request);
  if (answer?.status !== 200) return expect(answer?.status).toBe(404);
  expect(nextOf(answer.headers)).toMatch(/^http:\/\/selo\.test\/api\/v1\/public\/audit-seals\?/);
});
