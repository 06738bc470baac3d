// The list of invoices: issue "Invoicing" (GET /invoices), message-webhooks part B §4 and §8.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { awayFromTheHour } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { expectError } from "../../support/rest-client.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { invoicingCaller } from "./invoicing-stage.ts";

let selo: TestGateway;
let organization: TestOrganization;
let invoicing: ReturnType<typeof invoicingCaller>;
let catalog: Awaited<ReturnType<typeof invoicing.addCatalog>>;
beforeAll(async () => {
  selo = await startTestGateway();
});
beforeAll(async () => {
  organization = await selo.newOrganization();
  invoicing = invoicingCaller(selo, organization.live);
  catalog = await invoicing.addCatalog();
});
beforeEach(awayFromTheHour);
afterAll(() => selo?.stop());

/** An organization of its own, for one test. */
async function another(options: Parameters<TestGateway["newOrganization"]>[0] = {}) {
  const { live } = await selo.newOrganization(options);
  const caller = invoicingCaller(selo, live);
  const { invoice } = await caller.addCatalog();
  const refs = async (query: string): Promise<string[]> => {
    const { status, body } = await caller.ask("GET", `/invoices${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body.items.map((item: { external_ref: string }) => item.external_ref);
  };
  return { ...caller, live, refs, add: (more: object) => caller.addDraft({ ...invoice, ...more }) };
}

test("GET /invoices is a page, newest first, without events and chain", async () => {
  const { ask, add } = await another();
  const made = [];
  for (const external_ref of ["a", "b", "c"]) made.unshift(await add({ external_ref }));
  const items = made.map(({ events, chain, ...listed }) => listed);
  const { body } = await ask("GET", "/invoices");
  expect(body).toEqual({ items, total: 3, limit: 50, offset: 0, next_cursor: null });
  const first = (await ask("GET", "/invoices?limit=2")).body;
  expect(first).toMatchObject({ items: items.slice(0, 2), total: 3, limit: 2 });
  const rest = (await ask("GET", `/invoices?limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest).toMatchObject({ items: items.slice(2), next_cursor: null });
  expect(rest).not.toHaveProperty("total");
  expect((await ask("GET", "/invoices?limit=1&offset=1")).body.items).toEqual(items.slice(1, 2));
  const chosen = (await ask("GET", "/invoices?fields=id,chain")).body.items;
  expect(chosen[0]).toEqual({ id: made[0].id, chain: made[0].chain });
});

test("limit is up to 200", async () => {
  expect((await invoicing.ask("GET", "/invoices?limit=200")).body).toMatchObject({ limit: 200 });
  for (const limit of ["201", "0"])
    expectError(await invoicing.ask("GET", `/invoices?limit=${limit}`), 422, "invalid_request", ["limit"]);
});

test("status is a list of states; an unknown one is 422", async () => {
  const { add, refs } = await another();
  for (const status of ["draft", "queued", "authorized"]) {
    const { id } = await add({ external_ref: status });
    await selo.database.admin.query("update invoicing.invoices set status = $2 where id = $1", [id, status]);
  }
  expect(await refs("?status=queued")).toEqual(["queued"]);
  expect(await refs("?status=draft,authorized")).toEqual(["authorized", "draft"]);
  expect(await refs("?status=draft&status=authorized,queued")).toEqual(["authorized", "queued", "draft"]);
  expect(await refs("?status=canceled,canceling,rejected,failed")).toEqual([]);
  for (const status of ["sent", "draft,sent", "draft,", "DRAFT", "", "draft, queued"])
    expectError(await invoicing.ask("GET", `/invoices?status=${encodeURIComponent(status)}`), 422, "invalid_request", [
      "status",
    ]);
});

test("q looks in customer, document, external_ref and description, literally and in any case; number and key by their beginning", async () => {
  const { add, addCustomer, refs, ask, live } = await another();
  const { id: named } = await addCustomer({ name: "Açaí do Norte", document: "12ABC34501DE35" });
  const decomposed = "referência".normalize("NFD");
  await add({ external_ref: decomposed });
  await add({ external_ref: "of a customer", customer_id: named });
  await add({ external_ref: "100%_x" });
  await add({ external_ref: "described", description: "Café\nda manhã" });
  const { id } = await add({ external_ref: "numbered" });
  await selo.database.admin.query(
    "update invoicing.invoices set series = '1', number = 70421, access_key = repeat('35', 25) where id = $1",
    [id],
  );
  const found = async (q: string) => {
    const inRest = await refs(`?q=${encodeURIComponent(q)}`);
    const query = `{ invoices(search: ${JSON.stringify(q)}) { nodes { externalRef } } }`;
    const { nodes } = answered<{ nodes: { externalRef: string }[] }>(await graphql(selo, live, query), "invoices");
    expect(nodes.map(({ externalRef }) => externalRef)).toEqual(inRest);
    return inRest;
  };
  expect(await found("AÇAÍ")).toEqual(["of a customer"]);
  expect(await found("AÇAÍ".normalize("NFD"))).toEqual(["of a customer"]);
  expect(await found("abc345")).toEqual(["of a customer"]);
  expect(await found("%_X")).toEqual(["100%_x"]);
  expect(await found("_")).toEqual(["100%_x"]);
  expect(await found("\\")).toEqual([]);
  expect(await found("REFERÊNCIA")).toEqual([decomposed]);
  expect(await found("CAFÉ")).toEqual(["described"]);
  expect(await found("704")).toEqual(["numbered"]);
  expect(await found("421")).toEqual([]);
  expect(await found("353535")).toEqual(["numbered"]);
  expect(await found("535353")).toEqual([]);
  expect(await refs("?q=consultoria&limit=1&offset=1")).toEqual(["100%_x"]);
  expect(await refs("?q=704&status=queued")).toEqual([]);
  expect((await ask("GET", `/invoices?q=${"a".repeat(255)}`)).status).toBe(200);
  expectError(await ask("GET", `/invoices?q=${"a".repeat(256)}`), 422, "invalid_request", ["q"]);
});

test("period is of the creation, in days of the organization's zone: 7d is today and the six days before", async () => {
  const timeZone = "America/Sao_Paulo";
  const { add, refs } = await another({ timeZone });
  const at: Record<string, string> = {
    now: "now()",
    "7d, first": "(today - 6)::timestamp at time zone zone",
    "7d, before": "(today - 6)::timestamp at time zone zone - interval '1 microsecond'",
    "30d, first": "(today - 29)::timestamp at time zone zone",
    "30d, before": "(today - 29)::timestamp at time zone zone - interval '1 microsecond'",
    "month, first": "date_trunc('month', today::timestamp) at time zone zone",
    "month, before": "date_trunc('month', today::timestamp) at time zone zone - interval '1 microsecond'",
    "year, first": "date_trunc('year', today::timestamp) at time zone zone",
    "year, before": "date_trunc('year', today::timestamp) at time zone zone - interval '1 microsecond'",
  };
  const instants: Record<string, number> = {};
  for (const [external_ref, instant] of Object.entries(at)) {
    const { id } = await add({ external_ref });
    const { rows } = await selo.database.admin.query<{ created_at: Date }>(
      `update invoicing.invoices set created_at = (
         select ${instant} from (select $2::text as zone, (now() at time zone $2)::date as today) as day) where id = $1
       returning created_at`,
      [id, timeZone],
    );
    instants[external_ref] = rows[0]?.created_at.getTime() ?? 0;
  }
  for (const period of ["7d", "30d", "month", "year"]) {
    const first = instants[`${period}, first`] ?? 0;
    const before = `${period}, before`;
    // Milliseconds cannot tell the microsecond before the first instant: its name does.
    const expected = Object.keys(at).filter(
      (name) =>
        (instants[name] ?? 0) >= first && name !== before && !(name.endsWith(", before") && at[name] === at[before]),
    );
    const found = await refs(`?period=${period}`);
    expect([period, found.includes(`${period}, first`), found.includes(before)]).toEqual([period, true, false]);
    expect([period, found.sort()]).toEqual([
      period,
      expected.filter((name) => !(name.endsWith(", before") && (instants[name] ?? 0) < first)).sort(),
    ]);
  }
  expect((await refs("?period=all")).sort()).toEqual(Object.keys(at).sort());
  expect((await refs("")).sort()).toEqual(Object.keys(at).sort());
  for (const period of ["1d", "week", "ALL", ""])
    expectError(await invoicing.ask("GET", `/invoices?period=${period}`), 422, "invalid_request", ["period"]);
});

test("another organization or environment sees none of it", async () => {
  await invoicing.addDraft(catalog.invoice);
  const stranger = await selo.newOrganization();
  for (const token of [stranger.live, organization.test])
    expect((await invoicingCaller(selo, token).ask("GET", "/invoices")).body).toMatchObject({ items: [], total: 0 });
});

test("any role reads the list, and a token with invoices:read", async () => {
  const { headers } = await signedIn(selo, organization, "accountant");
  const own = (await invoicing.ask("GET", "/invoices")).body;
  expect((await invoicingCaller(selo, headers).ask("GET", "/invoices")).body).toEqual(own);
  const writer = await organization.token("live", ["invoices:write"]);
  expectError(await invoicingCaller(selo, writer).ask("GET", "/invoices"), 403, "missing_scope");
});

test("GraphQL lists the same, newest first", async () => {
  const { add, live } = await another();
  await add({ external_ref: "older" });
  await add({ external_ref: "newer" });
  const answer = await graphql(
    selo,
    live,
    "{ invoices(first: 1) { totalCount nodes { externalRef status netAmount } pageInfo { hasNextPage } } }",
  );
  expect(answer.errors).toEqual([]);
  expect(answered(answer, "invoices")).toEqual({
    totalCount: 2,
    nodes: [{ externalRef: "newer", status: "DRAFT", netAmount: "1500.00" }],
    pageInfo: { hasNextPage: true },
  });
  const counted = (status: string) =>
    graphql(selo, live, `{ invoices(filter: {status: ${status}}) { totalCount } }`).then(
      ({ data }) => data?.["invoices"],
    );
  expect(await counted("{equalTo: DRAFT}")).toEqual({ totalCount: 2 });
  expect(await counted("{in: [QUEUED, CANCELED]}")).toEqual({ totalCount: 0 });
});
