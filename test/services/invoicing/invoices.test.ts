// Drafts of invoices, their keys, and what refuses them: issue "Invoicing" (/invoices), message-webhooks part B §2 to §8.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { awayFromTheHour } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { type Asker, answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { actionsOf, INSTANT, invoicingCaller, long, makeReady, SERVICE, UUID_V7 } from "./invoicing-stage.ts";

let selo: TestGateway;
let organization: TestOrganization;
let invoicing: ReturnType<typeof invoicingCaller>;
let catalog: Awaited<ReturnType<typeof invoicing.addCatalog>>;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  invoicing = invoicingCaller(selo, organization.live);
  catalog = await invoicing.addCatalog();
  await makeReady(selo, catalog.issuer.id);
});
beforeEach(awayFromTheHour);
afterAll(() => selo?.stop());

const draft = (more: object = {}) => invoicing.addDraft({ ...catalog.invoice, ...more });
const create = (more: object = {}, key?: string) =>
  call(selo, "POST", "/invoices", {
    token: organization.live,
    body: { ...catalog.invoice, ...more },
    ...(key === undefined ? {} : { key }),
  });
interface Made {
  readonly invoice: { readonly id: string };
}
const inputOf = (idempotencyKey: string | null, more: object = {}) => ({
  ...{ customerId: catalog.customer.id, serviceId: catalog.service.id, amountServices: "1500.00", emit: false },
  idempotencyKey,
  ...more,
});
const createByField = (
  asker: Asker,
  idempotencyKey: string | null,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
) =>
  graphql(
    selo,
    asker,
    "mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { invoice { id } } }",
    { input: inputOf(idempotencyKey, more) },
    headers,
  );
const today = () => new Date().toISOString().slice(0, 10);
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const replayed = ({ headers }: RestResponse) => headers.get("idempotent-replayed");
const countOf = async () =>
  (await selo.database.admin.query<{ count: string }>("select count(*) from invoicing.invoices")).rows[0]?.count;
const setStatus = (id: string, status: string) =>
  selo.database.admin.query("update invoicing.invoices set status = $2 where id = $1", [id, status]);

describe("POST /invoices", () => {
  test("with emit false is 201 with a draft, member for member", async () => {
    const { status, body } = await create({ emit: false, external_ref: "order-1" });
    expect(status).toBe(201);
    expect(Object.entries(body)).toEqual([
      ["id", expect.stringMatching(UUID_V7)],
      ["customer_id", catalog.customer.id],
      ["service_id", catalog.service.id],
      ["issuer_id", catalog.issuer.id],
      ["amount_services", "1500.00"],
      ["iss_rate", SERVICE.iss_rate],
      ["iss_withheld", false],
      ["deductions", "0.00"],
      ["discount_unconditional", "0.00"],
      ["discount_conditional", "0.00"],
      ["pis_amount", "0.00"],
      ["cofins_amount", "0.00"],
      ["inss_amount", "0.00"],
      ["ir_amount", "0.00"],
      ["csll_amount", "0.00"],
      ["other_withholdings", "0.00"],
      ["description", SERVICE.description],
      ["competence_date", today()],
      ["external_ref", "order-1"],
      ["status", "draft"],
      ["series", null],
      ["number", null],
      ["nfse_number", null],
      ["access_key", null],
      ["customer", { name: catalog.customer.name, document: catalog.customer.document }],
      ["service", { name: SERVICE.name, national_code: SERVICE.national_code }],
      ["iss_base", "1500.00"],
      ["iss_amount", "75.00"],
      [
        "withholdings",
        {
          iss: "0.00",
          pis: "0.00",
          cofins: "0.00",
          inss: "0.00",
          ir: "0.00",
          csll: "0.00",
          other: "0.00",
          total: "0.00",
        },
      ],
      ["net_amount", "1500.00"],
      ["last_error_code", null],
      ["last_error_message", null],
      ["next_attempt_at", null],
      ["cancel", null],
      ["created_at", expect.stringMatching(INSTANT)],
      ["queued_at", null],
      ["authorized_at", null],
      ["canceled_at", null],
      ["events", [expect.objectContaining({ action: "invoice.drafted", seq: 1 })]],
      ["chain", expect.objectContaining({ length: 1, valid: true, broken_at: null, faults: [] })],
    ]);
    expect((await invoicing.ask("GET", `/invoices/${body.id}`)).body).toEqual(body);
  });

  test("queues the invoice by default: emit is true", async () => {
    const { status, body } = await create();
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { status: "queued", number: null, queued_at: expect.stringMatching(INSTANT) },
    });
    expect(body).not.toHaveProperty("emit");
    expect(await actionsOf(selo, body.id)).toEqual(["invoice.queued"]);
  });

  test("takes rate, withholding and description of the service unless they are given", async () => {
    const { id } = await invoicing.addService({ iss_rate: "2.90", iss_withheld: true, description: "Other work" });
    expect(await draft({ service_id: id })).toMatchObject({
      iss_rate: "2.90",
      iss_withheld: true,
      description: "Other work",
      withholdings: { iss: "43.50" },
      net_amount: "1456.50",
    });
    const given = { iss_rate: "3.10", iss_withheld: false, description: "Line one\nLine two\r\nLine three" };
    expect(await draft({ service_id: id, ...given })).toMatchObject(given);
  });

  test("takes the default issuer unless one is given; without any it is 404 issuer_missing", async () => {
    const { id } = await invoicing.addIssuer({ series: "2" });
    expect(await draft({ issuer_id: id })).toMatchObject({ issuer_id: id });
    const { live } = await selo.newOrganization();
    const { ask, addCustomer, addService, addIssuer } = invoicingCaller(selo, live);
    const [customer, service] = [await addCustomer(), await addService()];
    const body = { customer_id: customer.id, service_id: service.id, amount_services: "1", emit: false };
    expectError(await ask("POST", "/invoices", body), 404, "issuer_missing");
    const issuer = await addIssuer();
    expect((await ask("POST", "/invoices", body)).body).toMatchObject({ issuer_id: issuer.id });
    await ask("POST", `/issuers/${issuer.id}/archive`);
    expectError(await ask("POST", "/invoices", body), 404, "issuer_missing");
  });

  test("keeps copies: the customer and the service may change afterwards", async () => {
    const made = await invoicing.addCatalog({ customer: { name: "Before" } });
    const { id, ...rest } = await draft(made.invoice);
    await invoicing.ask("PATCH", `/customers/${made.customer.id}`, { name: "After" });
    await invoicing.ask("PATCH", `/services/${made.service.id}`, { name: "After", iss_rate: "2.00" });
    expect((await invoicing.ask("GET", `/invoices/${id}`)).body).toEqual({ id, ...rest });
    const named = await invoicing.ask("PATCH", `/invoices/${id}`, { customer_id: made.customer.id });
    expect(named.body).toMatchObject({ customer: { name: "After" }, iss_rate: "5.00" });
  });

  test("names what is unknown: 422 invalid_reference", async () => {
    const nothing = { customer_id: randomUUID(), service_id: "4711", issuer_id: "x", emit: false };
    expectError(await create(nothing), 422, "invalid_reference", ["customer_id", "service_id", "issuer_id"]);
    const stranger = await selo.newOrganization();
    for (const token of [stranger.live, organization.test]) {
      const { ask, addIssuer } = invoicingCaller(selo, token);
      await addIssuer();
      expectError(
        await ask("POST", "/invoices", { ...catalog.invoice, issuer_id: catalog.issuer.id, emit: false }),
        422,
        "invalid_reference",
        ["customer_id", "service_id", "issuer_id"],
      );
    }
  });

  test("takes no competence after today, also of a draft: 422 competence_in_future", async () => {
    for (const emit of [true, false])
      expectError(await create({ competence_date: tomorrow(), emit }), 422, "competence_in_future", [
        "competence_date",
      ]);
    expect(await draft({ competence_date: "2026-01-31" })).toMatchObject({ competence_date: "2026-01-31" });
  });

  test("knows today by the time zone of the organization", async () => {
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const { live } = await selo.newOrganization({ timeZone });
      const { addCatalog, addDraft, ask } = invoicingCaller(selo, live);
      const { invoice } = await addCatalog();
      // The layout knows no later day than that of +12, so that a day at +14 begins two hours late.
      const { rows } = await selo.database.admin.query<{ day: string; next: string }>(
        `select day::text, (day + 1)::text as next
         from (select least((now() at time zone $1)::date, (now() at time zone 'UTC' + interval '12 hours')::date) as day) as its`,
        [timeZone],
      );
      const { day, next } = rows[0] ?? { day: "", next: "" };
      expect(await addDraft(invoice)).toMatchObject({ competence_date: day });
      expectError(
        await ask("POST", "/invoices", { ...invoice, emit: false, competence_date: next }),
        422,
        "competence_in_future",
        ["competence_date"],
      );
    }
  });

  test("takes a description of up to 2,000 characters and an external_ref of up to 120", async () => {
    expect(await draft({ description: long(2000), external_ref: long(120) })).toMatchObject({
      description: long(2000),
      external_ref: long(120),
    });
    const refused = async (body: object, field: string) =>
      expectError(await create({ ...body, emit: false }), 422, "invalid_request", [field]);
    await refused({ description: long(2001) }, "description");
    await refused({ external_ref: long(121) }, "external_ref");
    for (const text of ["", " ", "\n", "A\tB", "Łódź"]) await refused({ description: text }, "description");
    expect(await draft({ description: " Linha\noutra\n" })).toMatchObject({ description: "Linha\noutra" });
    for (const text of ["", "A\nB"]) await refused({ external_ref: text }, "external_ref");
  });

  test("takes money as decimal strings alone, above zero for the services", async () => {
    for (const amount_services of [1500, "0.00", "1.234", "-1", "1e3"])
      expectError(await create({ amount_services, emit: false }), 422, "invalid_request", ["amount_services"]);
    expectError(await create({ deductions: 0.1, emit: false }), 422, "invalid_request", ["deductions"]);
    const most = "999999999999999.99";
    const withheld = ["pis", "cofins", "inss", "ir", "csll"].map((tax) => [`${tax}_amount`, most]);
    const { id } = await draft({ amount_services: "1", other_withholdings: most, ...Object.fromEntries(withheld) });
    // An amount that cannot be stays a draft, and is answered everywhere.
    expect((await invoicing.ask("GET", `/invoices/${id}`)).body).toMatchObject({ net_amount: "-5999999999999998.94" });
    await invoicing.ask("DELETE", `/invoices/${id}`);
  });
});

describe("with emit, an error of the preview refuses, and nothing is made", () => {
  test("by its code where it has one, and otherwise as invalid_request; fields names all", async () => {
    const before = await countOf();
    const key = randomUUID();
    expectError(await create({ iss_rate: "6" }, key), 422, "invalid_request", ["iss_rate"]);
    expectError(await create({ ir_amount: "1500.01" }, key), 422, "invalid_request", ["amount_services"]);
    // What a draft is refused for as well comes first.
    const { id: uncertified } = await invoicing.addIssuer();
    for (const issuer_id of [undefined, uncertified])
      expectError(
        await create({ iss_rate: "6", competence_date: tomorrow(), issuer_id }),
        422,
        "competence_in_future",
        ["competence_date", "iss_rate", ...(issuer_id === undefined ? [] : ["issuer_id"])],
      );
    const coded = await invoicing.addIssuer({ municipal_code_required: true });
    expectError(await create({ issuer_id: coded.id }), 422, "municipal_code_required", ["service_id", "issuer_id"]);
    const { id } = await invoicing.addIssuer();
    expectError(await create({ issuer_id: id }), 422, "provider_not_ready", ["issuer_id"]);
    expectError(await create({ issuer_id: id, iss_rate: "1" }), 422, "invalid_request", ["iss_rate", "issuer_id"]);
    expect(await countOf()).toBe(before);
    // Nothing was made, so the key is free.
    expect((await create({ emit: false }, key)).status).toBe(201);
  });

  test("but a warning does not", async () => {
    expect((await create({ other_withholdings: "1" })).body).toMatchObject({ status: "queued" });
  });

  test("and a draft is kept whatever the preview says", async () => {
    expect(await draft({ iss_rate: "6", deductions: "9999" })).toMatchObject({ status: "draft" });
  });
});

describe("the Idempotency-Key of POST /invoices", () => {
  test("lives with the invoice: a repeat is 200 with the invoice as it is now, whatever its body", async () => {
    const key = randomUUID();
    const first = await create({ emit: false }, key);
    expect([first.status, replayed(first)]).toEqual([201, null]);
    await invoicing.ask("PATCH", `/invoices/${first.body.id}`, { amount_services: "9.99" });
    const again = await create({ amount_services: "7", customer_id: "nobody" }, key);
    expect([again.status, replayed(again)]).toEqual([200, "true"]);
    expect(again.body).toMatchObject({ id: first.body.id, amount_services: "9.99", status: "draft" });
    // A wrong shape is refused before the key is looked at.
    expectError(await create({ amount_services: 7 }, key), 422, "invalid_request", ["amount_services"]);
    const { rows } = await selo.database.admin.query("select from platform.idempotency_keys where key = $1", [key]);
    expect(rows).toEqual([]);
    expect(await actionsOf(selo, first.body.id)).toEqual(["invoice.drafted", "invoice.changed"]);
  });

  test("is the same for a token, a person and GraphQL", async () => {
    const key = randomUUID();
    const { headers } = await signedIn(selo, organization, "member");
    const body = { ...catalog.invoice, emit: false };
    const first = await call(selo, "POST", "/invoices", { headers, body, key });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    const byToken = await create({}, key);
    const byPerson = await call(selo, "POST", "/invoices", { headers, body, key });
    for (const answer of [byToken, byPerson])
      expect([answer.status, replayed(answer), answer.body]).toEqual([200, "true", first.body]);
    const byField = await graphql(
      selo,
      organization.live,
      `mutation { createInvoice(input: {customerId: "x", serviceId: "y", amountServices: "1"}) { invoice { id } } }`,
      {},
      { "idempotency-key": key },
    );
    expect(byField.errors).toEqual([]);
    expect(answered(byField, "createInvoice")).toEqual({ invoice: { id: first.body.id } });
    expect(byField.headers.get("idempotent-replayed")).toBe("true");
  });

  test("is a member in GraphQL: the first makes the invoice, a repeat by anybody answers it and says so", async () => {
    const { headers } = await signedIn(selo, organization, "member");
    const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
    const first = await createByField(organization.live, keys[0]);
    expect([first.errors, first.headers.get("idempotent-replayed")]).toEqual([[], null]);
    const made = answered<Made>(first, "createInvoice");
    for (const asker of [headers, organization.live]) {
      const again = await createByField(asker, keys[0], { customerId: "nobody" });
      expect([again.errors, answered(again, "createInvoice")]).toEqual([[], made]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }
    const byPath = await create({}, keys[0]);
    expect([byPath.status, replayed(byPath), byPath.body.id]).toEqual([200, "true", made.invoice.id]);
    expect(await actionsOf(selo, made.invoice.id)).toEqual(["invoice.drafted"]);
    const { rows } = await selo.database.admin.query("select from platform.idempotency_keys where key = $1", [keys[0]]);
    expect(rows).toEqual([]);
    // A document may make several, each with its key.
    const [, two, three] = keys;
    const both = await graphql(
      selo,
      headers,
      `mutation ($input: CreateInvoiceInput!, $other: CreateInvoiceInput!) { one: createInvoice(input: $input) { invoice { id } } two: createInvoice(input: $other) { invoice { id } } }`,
      { input: inputOf(two), other: inputOf(three) },
    );
    expect(both.errors).toEqual([]);
    for (const [field, key] of [["one", two] as const, ["two", three] as const])
      expect((await create({}, key)).body.id).toBe(answered<Made>(both, field).invoice.id);
  });

  test("may also be the header in GraphQL, and is refused where both differ", async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    const withHeader = (header: string) => createByField(organization.live, key, {}, { "idempotency-key": header });
    const made = answered<Made>(await withHeader(key), "createInvoice");
    expect((await create({}, key)).body.id).toBe(made.invoice.id);
    const before = await countOf();
    const refused = await withHeader(other);
    expect(refused.errors[0]?.extensions).toMatchObject({
      code: "invalid_request",
      http: { status: 422 },
      fields: [{ field: "idempotencyKey", message: "must be the same as the header Idempotency-Key" }],
    });
    expect(await countOf()).toBe(before);
    // Null is no key: the header is.
    const byHeader = await createByField(organization.live, null, {}, { "idempotency-key": key });
    expect(answered(byHeader, "createInvoice")).toEqual(made);
  });

  test("has up to 120 characters", async () => {
    expect((await create({ emit: false }, "k".repeat(120))).status).toBe(201);
    const most = await createByField(organization.live, "m".repeat(120));
    expect([most.errors, most.headers.get("idempotent-replayed")]).toEqual([[], null]);
    for (const key of ["", "k".repeat(121), "two words", "é"])
      expect((await createByField(organization.live, key)).errors[0]?.extensions).toMatchObject({
        code: "invalid_request",
        http: { status: 422 },
        fields: [{ field: "idempotencyKey", message: "must be 1 to 120 visible ASCII characters" }],
      });
    for (const key of ["k".repeat(121), "two words"])
      expectError(await create({ emit: false }, key), 422, "invalid_request", ["Idempotency-Key"]);
    const long = await graphql(
      selo,
      organization.live,
      `mutation { createInvoice(input: {customerId: "x", serviceId: "y", amountServices: "1"}) { invoice { id } } }`,
      {},
      { "idempotency-key": "k".repeat(121) },
    );
    expect(long.errors[0]?.extensions).toMatchObject({ code: "invalid_request", http: { status: 422 } });
  });

  test("belongs to one environment of one organization", async () => {
    const key = randomUUID();
    const { body } = await create({ emit: false }, key);
    const stranger = await selo.newOrganization();
    for (const token of [stranger.live, organization.test]) {
      const { invoice } = await invoicingCaller(selo, token).addCatalog();
      const other = await call(selo, "POST", "/invoices", { token, key, body: { ...invoice, emit: false } });
      expect([other.status, other.body.id === body.id]).toEqual([201, false]);
    }
  });

  test("is free again when the draft is deleted", async () => {
    const key = randomUUID();
    const { body } = await create({ emit: false }, key);
    await invoicing.ask("DELETE", `/invoices/${body.id}`);
    const next = await create({ emit: false }, key);
    expect([next.status, next.body.id === body.id]).toEqual([201, false]);
  });

  test("of two requests at one moment makes one invoice", async () => {
    for (const _ of [1, 2, 3]) {
      const key = randomUUID();
      const answers = await Promise.all([1, 2, 3].map((amount) => create({ amount_services: `${amount}` }, key)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers.filter((answer) => replayed(answer) === "true")).toHaveLength(2);
      expect(await actionsOf(selo, answers[0]?.body.id)).toEqual(["invoice.queued"]);
    }
  });
});

describe("PATCH /invoices/{id}", () => {
  test("changes the given members; null gives one its default again", async () => {
    const made = await draft({ external_ref: "order-2", deductions: "10", iss_rate: "3" });
    const patch = (body: object) => invoicing.ask("PATCH", `/invoices/${made.id}`, body);
    const { status, body } = await patch({ amount_services: "1800.00", deductions: null, external_ref: null });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        amount_services: "1800.00",
        deductions: "0.00",
        external_ref: null,
        iss_rate: "3.00",
        net_amount: "1800.00",
      },
    });
    expect(await actionsOf(selo, made.id)).toEqual(["invoice.drafted", "invoice.changed"]);
    await patch({ iss_rate: "4", iss_withheld: true, description: "Other", competence_date: "2026-01-02" });
    expect(
      (await patch({ iss_rate: null, iss_withheld: null, description: null, competence_date: null })).body,
    ).toMatchObject({
      iss_rate: SERVICE.iss_rate,
      iss_withheld: false,
      description: SERVICE.description,
      competence_date: made.competence_date,
    });
    const { id } = await invoicing.addService({ iss_rate: "2.50", description: "New" });
    expect((await patch({ service_id: id })).body).toMatchObject({ iss_rate: "2.50", description: "New" });
    expect((await patch({ service_id: catalog.service.id, iss_rate: "4" })).body).toMatchObject({
      iss_rate: "4.00",
      description: SERVICE.description,
    });
  });

  test("that changes nothing records nothing", async () => {
    const made = await draft({ description: "As it is" });
    for (const body of [{}, { amount_services: "1500" }, { description: "As it is", deductions: "0" }])
      expect(await invoicing.ask("PATCH", `/invoices/${made.id}`, body)).toMatchObject({ status: 200, body: made });
    expect(await actionsOf(selo, made.id)).toEqual(["invoice.drafted"]);
  });

  test("checks as POST does, and knows no other member", async () => {
    const { id } = await draft();
    const patch = (body: object) => invoicing.ask("PATCH", `/invoices/${id}`, body);
    expectError(await patch({ customer_id: randomUUID() }), 422, "invalid_reference", ["customer_id"]);
    expectError(await patch({ competence_date: tomorrow() }), 422, "competence_in_future", ["competence_date"]);
    for (const [name, value] of [
      ["amount_services", "0"],
      ["amount_services", null],
      ["amount_services", 1],
      ["customer_id", null],
      ["service_id", null],
      ["emit", true],
      ["status", "queued"],
      ["description", ""],
    ] as const)
      expectError(await patch({ [name]: value }), 422, "invalid_request", [name]);
  });

  test("is for a draft and a rejected invoice, otherwise 409 invalid_status", async () => {
    // Of failed ones: answers-in-doubt.test.ts.
    for (const status of ["queued", "authorized", "canceling", "canceled"]) {
      const { id } = await draft();
      await setStatus(id, status);
      expectError(await invoicing.ask("PATCH", `/invoices/${id}`, { amount_services: "1" }), 409, "invalid_status");
      await setStatus(id, "draft");
    }
    const { id } = await draft();
    await setStatus(id, "rejected");
    const { body } = await invoicing.ask("PATCH", `/invoices/${id}`, { amount_services: "1" });
    expect(body).toMatchObject({ status: "rejected", amount_services: "1.00" });
  });
});

describe("POST /invoices/{id}/emit", () => {
  test("is 202 with the invoice, queued, of a draft, a rejected or a failed one; otherwise 409 invalid_status", async () => {
    for (const status of ["draft", "rejected", "failed"]) {
      const { id } = await draft();
      await setStatus(id, status);
      const answer = await invoicing.ask("POST", `/invoices/${id}/emit`);
      expect(answer).toMatchObject({
        status: 202,
        body: { id, status: "queued", queued_at: expect.stringMatching(INSTANT) },
      });
      expect(await actionsOf(selo, id)).toEqual(["invoice.drafted", "invoice.emitted"]);
      expectError(await invoicing.ask("POST", `/invoices/${id}/emit`), 409, "invalid_status");
    }
    for (const status of ["authorized", "canceling", "canceled"]) {
      const { id } = await draft();
      await setStatus(id, status);
      expectError(await invoicing.ask("POST", `/invoices/${id}/emit`), 409, "invalid_status");
      await setStatus(id, "draft");
    }
  });

  test("checks as POST does, and changes nothing when it refuses", async () => {
    const made = await draft({ iss_rate: "6" });
    expectError(await invoicing.ask("POST", `/invoices/${made.id}/emit`), 422, "invalid_request", ["iss_rate"]);
    const { id } = await invoicing.addIssuer();
    const unready = await draft({ issuer_id: id });
    expectError(await invoicing.ask("POST", `/invoices/${unready.id}/emit`), 422, "provider_not_ready", ["issuer_id"]);
    expect((await invoicing.ask("GET", `/invoices/${made.id}`)).body).toEqual(made);
  });

  test("of a customer, a service or an issuer archived afterwards is 422 invalid_reference", async () => {
    const made = await invoicing.addCatalog();
    await makeReady(selo, made.issuer.id);
    const { id } = await draft({ ...made.invoice, issuer_id: made.issuer.id });
    for (const kind of ["customer", "service", "issuer"] as const)
      await invoicing.ask("POST", `/${kind}s/${made[kind].id}/archive`);
    expectError(await invoicing.ask("POST", `/invoices/${id}/emit`), 422, "invalid_reference", [
      "customer_id",
      "service_id",
      "issuer_id",
    ]);
    expect((await invoicing.ask("PATCH", `/invoices/${id}`, { amount_services: "2" })).status).toBe(200);
    await invoicing.ask("PATCH", `/invoices/${id}`, { ...catalog.invoice, issuer_id: null });
    expect((await invoicing.ask("POST", `/invoices/${id}/emit`)).status).toBe(202);
  });
});

describe("DELETE /invoices/{id}", () => {
  test("of a draft without a number is 204, and the invoice is gone; its events stay", async () => {
    const { id } = await draft();
    expect(await invoicing.ask("DELETE", `/invoices/${id}`)).toMatchObject({ status: 204, text: "" });
    expectError(await invoicing.ask("GET", `/invoices/${id}`), 404, "not_found");
    expectError(await invoicing.ask("DELETE", `/invoices/${id}`), 404, "not_found");
    expect(await actionsOf(selo, id)).toEqual(["invoice.drafted", "invoice.deleted"]);
  });

  test("of any other is 409 not_draft", async () => {
    const { body } = await create();
    expectError(await invoicing.ask("DELETE", `/invoices/${body.id}`), 409, "not_draft");
    const { id } = await draft();
    await selo.database.admin.query("update invoicing.invoices set series = '1', number = 7 where id = $1", [id]);
    expectError(await invoicing.ask("DELETE", `/invoices/${id}`), 409, "not_draft");
    await selo.database.admin.query("update invoicing.invoices set series = null, number = null where id = $1", [id]);
  });
});

describe("at one moment", () => {
  test("a draft is deleted or transmitted, not both", async () => {
    for (const _ of [1, 2, 3]) {
      const { id } = await draft();
      const [gone, sent] = await Promise.all([
        invoicing.ask("DELETE", `/invoices/${id}`),
        invoicing.ask("POST", `/invoices/${id}/emit`),
      ]);
      expect([
        [204, 404],
        [409, 202],
      ]).toContainEqual([gone.status, sent.status]);
      expect(await actionsOf(selo, id)).toHaveLength(2);
    }
  });

  test("a draft is changed before it is deleted, or not at all", async () => {
    for (const _ of [1, 2, 3]) {
      const { id } = await draft();
      const [changed, gone] = await Promise.all([
        invoicing.ask("PATCH", `/invoices/${id}`, { amount_services: "2" }),
        invoicing.ask("DELETE", `/invoices/${id}`),
      ]);
      expect(gone.status).toBe(204);
      expect([200, 404]).toContain(changed.status);
      expect(await actionsOf(selo, id)).toEqual([
        "invoice.drafted",
        ...(changed.status === 200 ? ["invoice.changed"] : []),
        "invoice.deleted",
      ]);
    }
  });
});

test("an invoice of another organization or environment is 404", async () => {
  const made = await draft();
  const stranger = await selo.newOrganization();
  for (const token of [stranger.live, organization.test]) {
    const { ask } = invoicingCaller(selo, token);
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { amount_services: "1" }],
      ["POST", "/emit", undefined],
      ["DELETE", "", undefined],
    ] as const)
      expectError(await ask(method, `/invoices/${made.id}${path}`, body), 404, "not_found");
  }
  expect((await invoicing.ask("GET", `/invoices/${made.id}`)).body).toEqual(made);
});

test("an accountant reads; a member makes, changes, transmits and deletes but cancels nothing, with the token against forged requests", async () => {
  const accountant = invoicingCaller(selo, (await signedIn(selo, organization, "accountant")).headers);
  const { headers } = await signedIn(selo, organization, "member");
  const member = invoicingCaller(selo, headers);
  const { id } = await member.addDraft(catalog.invoice);
  expect((await accountant.ask("GET", `/invoices/${id}`)).status).toBe(200);
  const cancel = { reason_code: "2", reason: "O serviço não foi prestado." };
  const writes = [
    ["POST", "/invoices", { ...catalog.invoice, emit: false }],
    ["PATCH", `/invoices/${id}`, { amount_services: "2" }],
    ["POST", `/invoices/${id}/emit`, undefined],
    ["DELETE", `/invoices/${id}`, undefined],
    ["POST", `/invoices/${id}/cancel`, cancel],
  ] as const;
  const forger = invoicingCaller(selo, { cookie: headers.cookie });
  for (const [method, path, body] of writes) {
    expectError(await accountant.ask(method, path, body), 403, "forbidden");
    expectError(await forger.ask(method, path, body), 403, "csrf");
    expectError(await call(selo, method, path, body ? { body } : {}), 401, "unauthenticated");
  }
  expect((await member.ask("PATCH", `/invoices/${id}`, { amount_services: "2" })).status).toBe(200);
  expect((await member.ask("POST", `/invoices/${id}/emit`)).status).toBe(202);
  expectError(await member.ask("POST", `/invoices/${id}/cancel`, cancel), 403, "forbidden");
  const admin = invoicingCaller(selo, (await signedIn(selo, organization, "admin")).headers);
  expectError(await admin.ask("POST", `/invoices/${id}/cancel`, cancel), 409, "invalid_status");
  const other = await member.addDraft(catalog.invoice);
  expect((await member.ask("DELETE", `/invoices/${other.id}`)).status).toBe(204);
});

test("GraphQL takes and answers the same", async () => {
  const OBJECTS =
    "customer { name document } service { name nationalCode } withholdings { iss pis cofins inss ir csll other total } cancel { reason }";
  const FIELDS = `id customerId amountServices issRate issWithheld description competenceDate externalRef status number ${OBJECTS} netAmount queuedAt`;
  const run = async (field: string, input: string, shown = `invoice { ${FIELDS} }`) => {
    const answer = await graphql(selo, organization.live, `mutation { ${field}(input: {${input}}) { ${shown} } }`);
    return { ...answer, of: answered<{ invoice: Record<string, unknown> }>(answer, field) };
  };
  const { customer, service } = catalog;
  const made = await run(
    "createInvoice",
    `customerId: "${customer.id}", serviceId: "${service.id}", amountServices: "1500", externalRef: "order-3", emit: false`,
  );
  expect(made.errors).toEqual([]);
  const { invoice } = made.of;
  const { body } = await invoicing.ask("GET", `/invoices/${invoice.id}`);
  expect(invoice).toEqual({
    id: body.id,
    customerId: customer.id,
    amountServices: "1500.00",
    issRate: "5.00",
    issWithheld: false,
    description: SERVICE.description,
    competenceDate: today(),
    externalRef: "order-3",
    status: "DRAFT",
    number: null,
    customer: body.customer,
    service: { name: body.service.name, nationalCode: body.service.national_code },
    withholdings: body.withholdings,
    cancel: null,
    netAmount: "1500.00",
    queuedAt: null,
  });
  const one = await graphql(selo, organization.live, `{ invoice(id: "${body.id}") { ${FIELDS} } }`);
  expect([one.errors, answered(one, "invoice")]).toEqual([[], invoice]);
  const changed = await run("updateInvoice", `id: "${body.id}", amountServices: "10.5", externalRef: null`);
  expect(changed.of.invoice).toMatchObject({ amountServices: "10.50", externalRef: null, netAmount: "10.50" });
  const wrong = await run("updateInvoice", `id: "${body.id}", amountServices: "0"`);
  expect(wrong.errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "amountServices" }] });
  const sent = await run("emitInvoice", `id: "${body.id}"`);
  expect(sent.of.invoice).toMatchObject({ status: "QUEUED", queuedAt: expect.stringMatching(INSTANT) });
  const again = await run("emitInvoice", `id: "${body.id}"`);
  expect(again.errors[0]?.extensions).toMatchObject({ code: "invalid_status", http: { status: 409 } });
  const kept = await run("deleteInvoice", `id: "${body.id}"`, "done");
  expect(kept.errors[0]?.extensions).toMatchObject({ code: "not_draft", http: { status: 409 } });
  const { id } = await draft();
  const gone = await run("deleteInvoice", `id: "${id}"`, "done");
  expect([gone.errors, gone.of]).toEqual([[], { done: true }]);
});

test("one invoice has its events as GET /audit answers them, and its chain, whose first fault is broken_at", async () => {
  const { id } = await draft();
  await invoicing.ask("PATCH", `/invoices/${id}`, { amount_services: "3" });
  const { body } = await invoicing.ask("GET", `/invoices/${id}`);
  const audit = (await invoicing.ask("GET", `/audit?subject_id=${id}`)).body;
  expect(body.events).toEqual([...audit.items].reverse());
  const { valid, broken_at, ...chain } = body.chain;
  expect({ valid, broken_at, chain }).toEqual({ valid: true, broken_at: null, chain: audit.chain });
  const { admin } = selo.database;
  const edit = (action: string) =>
    admin.query("update platform.audit_events set action = $2 where subject_id = $1 and seq = 2", [id, action]);
  await admin.query("alter table platform.audit_events disable trigger append_only");
  await edit("invoice.emitted");
  const broken = (await invoicing.ask("GET", `/invoices/${id}`)).body.chain;
  expect(broken).toMatchObject({ valid: false, broken_at: 2, length: 2 });
  await edit("invoice.changed");
  await admin.query("alter table platform.audit_events enable trigger append_only");
  expect((await invoicing.ask("GET", `/invoices/${id}`)).body.chain).toEqual(body.chain);
});

test("selo audit verify finds nothing after all this, and finds an invoice that was edited by hand", async () => {
  // What the tests above set by hand.
  const { rows } = await selo.database.admin.query<{ id: string }>(
    "delete from invoicing.invoices where status = 'rejected' returning id",
  );
  const known = rows.map(({ id }) => id);
  const faults = (await verifyAll(selo.operator)).faults.filter(({ subject_id }) => !known.includes(subject_id ?? ""));
  expect(faults).toEqual([]);
  const { id } = await draft();
  await selo.database.admin.query("update invoicing.invoices set amount_services = 1 where id = $1", [id]);
  const later = (await verifyAll(selo.operator)).faults.filter(({ subject_id }) => !known.includes(subject_id ?? ""));
  expect(later).toMatchObject([{ check_name: "records", subject_id: id }]);
});
