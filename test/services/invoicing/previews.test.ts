// What an invoice comes to, and what is wrong with it: issue "Invoicing" (POST /invoices/preview), design facts "Amounts".
import { execFileSync } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { awayFromTheHour } from "../../support/clock.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { ADDRESS, ISSUER, invoicingCaller, long, makeReady } from "./invoicing-stage.ts";

type Catalog = Awaited<ReturnType<ReturnType<typeof invoicingCaller>["addCatalog"]>>;

let selo: TestGateway;
let organization: TestOrganization;
let invoicing: ReturnType<typeof invoicingCaller>;
let catalog: Catalog;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  invoicing = invoicingCaller(selo, organization.live);
  catalog = await invoicing.addCatalog();
  await makeReady(selo, catalog.issuer.id);
});
beforeEach(awayFromTheHour);
afterAll(() => selo?.stop());

const preview = (more: object = {}) => invoicing.ask("POST", "/invoices/preview", { ...catalog.invoice, ...more });
interface Problem {
  readonly code: string;
  readonly field: string;
  readonly severity: string;
}
const brief = ({ code, field, severity }: Problem) => `${severity} ${code} ${field}`;
const problemsOf = async (more: object = {}): Promise<string[]> => (await preview(more)).body.problems.map(brief);
const today = () => new Date().toISOString().slice(0, 10);
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

const MONEY = [
  "amount_services",
  "deductions",
  "discount_unconditional",
  "discount_conditional",
  "pis_amount",
  "cofins_amount",
  "inss_amount",
  "ir_amount",
  "csll_amount",
  "other_withholdings",
];

describe("POST /invoices/preview", () => {
  test("is 200 with the ISS base, ISS, the withholdings and the net amount, member for member", async () => {
    const { status, body } = await preview();
    expect(status).toBe(200);
    expect(Object.entries(body)).toEqual([
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
      ["problems", []],
    ]);
  });

  test.each([
    ["1000", { deductions: "200", iss_rate: "5" }, ["800.00", "40.00", "0.00", "1000.00"]],
    [
      "10000",
      {
        iss_rate: "5",
        iss_withheld: true,
        pis_amount: "65",
        cofins_amount: "300",
        csll_amount: "100",
        ir_amount: "150",
      },
      ["10000.00", "500.00", "1115.00", "8885.00"],
    ],
    [
      "1500",
      { discount_unconditional: "50", discount_conditional: "10", iss_rate: "2.01", iss_withheld: true },
      ["1450.00", "29.15", "29.15", "1410.85"],
    ],
    [
      "20000",
      { deductions: "8000", iss_rate: "3", iss_withheld: true, inss_amount: "1320", ir_amount: "300" },
      ["12000.00", "360.00", "1980.00", "18020.00"],
    ],
    ["400", { iss_rate: "2" }, ["400.00", "8.00", "0.00", "400.00"]],
  ])("computes %s with %j as the table of amounts does", async (amount_services, more, [base, iss, withheld, net]) => {
    expect((await preview({ amount_services, ...more })).body).toMatchObject({
      iss_base: base,
      iss_amount: iss,
      withholdings: { total: withheld },
      net_amount: net,
    });
  });

  test("sends nothing and keeps nothing", async () => {
    const count = async () =>
      (
        await selo.database.admin.query(
          "select (select count(*) from invoicing.invoices) as invoices, (select count(*) from platform.audit_events) as events, (select count(*) from platform.idempotency_keys) as keys",
        )
      ).rows;
    const before = await count();
    const { status } = await call(selo, "POST", "/invoices/preview", {
      token: organization.live,
      body: catalog.invoice,
      key: "a-preview",
    });
    expect(status).toBe(200);
    expect(await count()).toEqual(before);
  });

  test("counts no ISS of what is not taxed, and has no base below zero", async () => {
    const { id } = await invoicing.addService({ iss_taxation: 4, iss_rate: "0.00" });
    expect((await preview({ service_id: id, iss_rate: "5.00", iss_withheld: true })).body).toMatchObject({
      iss_amount: "0.00",
      withholdings: { iss: "0.00" },
      problems: [],
    });
    expect((await preview({ deductions: "2000.00" })).body).toMatchObject({ iss_base: "0.00", iss_amount: "0.00" });
  });

  test("takes the greatest amounts of all members at once", async () => {
    const most = "999999999999999.99";
    const { status, body } = await preview({
      ...Object.fromEntries(MONEY.map((name) => [name, most])),
      iss_rate: "100.00",
      iss_withheld: true,
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        iss_base: "0.00",
        withholdings: { pis: most, total: "5999999999999999.94" },
        net_amount: "-6999999999999999.93",
      },
    });
  });

  test("needs customer_id, service_id and amount_services", async () => {
    const answer = await invoicing.ask("POST", "/invoices/preview", {});
    expectError(answer, 422, "invalid_request", ["customer_id", "service_id", "amount_services"]);
  });

  test("takes money as decimal strings alone: up to 15 digits and two decimals", async () => {
    for (const name of MONEY) {
      for (const value of ["0.1", "1500", "1500.5", "999999999999999.99"])
        expect([name, value, (await preview({ [name]: value })).status]).toEqual([name, value, 200]);
      for (const value of [1500, 0.1, "", "01", "1.", ".5", "1.234", "1e3", "-1", "+1", " 1", "1,50", "1".repeat(16)])
        expectError(await preview({ [name]: value }), 422, "invalid_request", [name]);
    }
    for (const value of ["0", "0.00"])
      expectError(await preview({ amount_services: value }), 422, "invalid_request", ["amount_services"]);
    for (const value of [5, "100.01", "101", "5.001", "05", "-1", ""])
      expectError(await preview({ iss_rate: value }), 422, "invalid_request", ["iss_rate"]);
    expect((await preview({ iss_rate: "100.00" })).status).toBe(200);
  });

  test("refuses only a wrong shape, reference or missing issuer", async () => {
    expect((await preview({ emit: true })).status).toBe(200);
    expectError(await preview({ iss_withheld: "yes" }), 422, "invalid_request", ["iss_withheld"]);
    expectError(await preview({ competence_date: "2026-02-30" }), 422, "invalid_request", ["competence_date"]);
    expectError(await preview({ description: long(2001) }), 422, "invalid_request", ["description"]);
    expectError(await preview({ external_ref: long(121) }), 422, "invalid_request", ["external_ref"]);
    const nothing = { customer_id: randomUUID(), service_id: "4711", issuer_id: randomUUID() };
    expectError(await preview(nothing), 422, "invalid_reference", ["customer_id", "service_id", "issuer_id"]);
    const stranger = await selo.newOrganization();
    const { ask, addIssuer } = invoicingCaller(selo, stranger.live);
    expectError(await ask("POST", "/invoices/preview", catalog.invoice), 404, "issuer_missing");
    await addIssuer();
    expectError(await ask("POST", "/invoices/preview", catalog.invoice), 422, "invalid_reference", [
      "customer_id",
      "service_id",
    ]);
    for (const path of ["customers", "services", "issuers"] as const) {
      const made = await invoicing.addCatalog();
      const kind = path.slice(0, -1) as "customer" | "service" | "issuer";
      await invoicing.ask("POST", `/${path}/${made[kind].id}/archive`);
      expectError(await preview({ [`${kind}_id`]: made[kind].id }), 422, "invalid_reference", [`${kind}_id`]);
    }
  });

  test("takes competence after today as a problem", async () => {
    expect(await problemsOf({ competence_date: tomorrow() })).toEqual(["error competence_in_future competence_date"]);
    expect(await problemsOf({ competence_date: today() })).toEqual([]);
  });
});

describe("the problems of a preview", () => {
  test("are a rate over 5 or under 2", async () => {
    expect(await problemsOf({ iss_rate: "5.01" })).toEqual(["error rate_over_5 iss_rate"]);
    expect(await problemsOf({ iss_rate: "1.99" })).toEqual(["error rate_under_2 iss_rate"]);
    for (const iss_rate of ["5.00", "2.00"]) expect(await problemsOf({ iss_rate })).toEqual([]);
  });

  test("are an effective rate under 2 % after deductions", async () => {
    expect(await problemsOf({ amount_services: "1000", deductions: "601" })).toEqual([
      "warning effective_rate_under_2 deductions",
    ]);
    expect(await problemsOf({ amount_services: "1000", deductions: "600" })).toEqual([]);
  });

  test("are discounts and deductions over the services", async () => {
    const most = { amount_services: "1000", discount_unconditional: "100", discount_conditional: "100" };
    expect(await problemsOf({ ...most, deductions: "800.01" })).toContain("error discounts_over_services deductions");
    expect(await problemsOf({ ...most, deductions: "800" })).toEqual(["warning effective_rate_under_2 deductions"]);
  });

  test("are a negative net", async () => {
    expect(await problemsOf({ ir_amount: "1500.01" })).toEqual(["error negative_net amount_services"]);
    expect(await problemsOf({ ir_amount: "1500" })).toEqual([]);
  });

  test("are ISS that a customer without a document withholds", async () => {
    const { id } = await invoicing.addCustomer({ document_type: "none", document: null });
    expect(await problemsOf({ customer_id: id, iss_withheld: true })).toEqual(["error document_required customer_id"]);
    expect(await problemsOf({ customer_id: id })).toEqual([]);
  });

  test("are deductions of a MEI", async () => {
    const { id } = await invoicing.addIssuer({ simples: 2 });
    await makeReady(selo, id);
    expect(await problemsOf({ issuer_id: id, deductions: "1" })).toEqual(["error deductions_of_mei deductions"]);
    // It pays a fixed amount: no rate is wrong.
    expect(await problemsOf({ issuer_id: id, iss_rate: "0" })).toEqual([]);
  });

  test("are a municipal code that the issuer's city requires, and the service does not have", async () => {
    const { id } = await invoicing.addIssuer({ municipal_code_required: true });
    await makeReady(selo, id);
    const { id: coded } = await invoicing.addService({ municipal_code: "123" });
    expect(await problemsOf({ issuer_id: id })).toEqual(["error municipal_code_required service_id"]);
    expect(await problemsOf({ issuer_id: id, service_id: coded })).toEqual([]);
  });

  test("are a certificate that is missing, expired, not valid yet or of another CNPJ, and letters of a CNPJ", async () => {
    const notReady = "error provider_not_ready issuer_id";
    const { id } = await invoicing.addIssuer();
    expect(await problemsOf({ issuer_id: id })).toEqual([notReady]);
    for (const certificate of [
      { not_after: "2026-01-01T00:00:00Z" },
      { not_before: "2099-01-01T00:00:00Z" },
      { cnpj: "11222333000181" },
    ]) {
      await makeReady(selo, id, certificate);
      expect(await problemsOf({ issuer_id: id })).toEqual([notReady]);
    }
    await makeReady(selo, id);
    expect(await problemsOf({ issuer_id: id })).toEqual([]);
    const { id: lettered } = await invoicing.addIssuer({ cnpj: "12ABC34501DE35" });
    await makeReady(selo, lettered);
    expect(await problemsOf({ issuer_id: lettered })).toEqual([notReady]);
  });

  test("are a route that this deployment has not opened", async () => {
    const { test: token } = await selo.newOrganization();
    const elsewhere = invoicingCaller(selo, token);
    const { issuer, invoice } = await elsewhere.addCatalog();
    await makeReady(selo, issuer.id);
    const found = async () => (await elsewhere.ask("POST", "/invoices/preview", invoice)).body.problems.map(brief);
    expect(await found()).toEqual([]);
    // As on a database where no process ever said so.
    await selo.database.admin.query("delete from platform.settings where name = 'nfse_url_test'");
    expect(await found()).toEqual(["error provider_not_ready issuer_id"]);
  });

  test("are a customer that is the issuer", async () => {
    const { id } = await invoicing.addCustomer({ document: ISSUER.cnpj });
    expect(await problemsOf({ customer_id: id })).toEqual(["error customer_is_issuer customer_id"]);
    // Another place of the same company: the root of its CNPJ is the same.
    const { id: branch } = await invoicing.addCustomer({ document: "12345678000276" });
    expect(await problemsOf({ customer_id: branch })).toEqual(["warning customer_is_issuer customer_id"]);
  });

  test("are other withholdings, for which the NFS-e has no field", async () => {
    expect(await problemsOf({ other_withholdings: "0.01" })).toEqual([
      "warning other_withholdings_without_field other_withholdings",
    ]);
  });

  const ofService = async (service: object, more: object = {}) =>
    problemsOf({ service_id: (await invoicing.addService(service)).id, ...more });
  const ofIssuer = async (issuer: object, more: object = {}) => {
    const { id } = await invoicing.addIssuer(issuer);
    await makeReady(selo, id);
    return problemsOf({ issuer_id: id, ...more });
  };

  test("are a discount of as much as the services (E0431, E0432)", async () => {
    for (const name of ["discount_unconditional", "discount_conditional"]) {
      expect(await problemsOf({ [name]: "1500" })).toEqual([`warning discount_not_under_services ${name}`]);
      expect(await problemsOf({ [name]: "1499.99" })).toEqual([]);
    }
  });

  test("are deductions where the tax authority takes none (E0435, E0438)", async () => {
    const problem = "warning deductions_not_allowed deductions";
    expect(await ofService({ iss_taxation: 4 }, { deductions: "1" })).toEqual([problem]);
    expect(await ofIssuer({ special_regime: 5 }, { deductions: "1" })).toEqual([problem]);
    expect(await problemsOf({ deductions: "1" })).toEqual([]);
  });

  test("are ISS that nobody may withhold (E0583, E0588, E0596), and none of what is not taxed", async () => {
    const { id: customer_id } = await invoicing.addCustomer({ address: ADDRESS });
    const withheld = { customer_id, iss_withheld: true };
    const problem = "warning withholding_not_allowed iss_withheld";
    expect(await ofIssuer({ simples: 2 }, withheld)).toEqual([problem]);
    expect(await ofIssuer({ special_regime: 5 }, withheld)).toEqual([problem]);
    expect(await ofService({ national_code: "220101" }, withheld)).toEqual([problem]);
    expect(await ofService({ iss_taxation: 4 }, withheld)).toEqual([]);
    expect(await problemsOf(withheld)).toEqual([]);
  });

  test("are a customer without an address where the tax authority asks for it (E0237, E0234)", async () => {
    const problem = "warning address_required customer_id";
    expect(await problemsOf({ iss_withheld: true })).toEqual([problem]);
    expect(await ofService({ national_code: "170501" })).toEqual([problem]);
    const { id: customer_id } = await invoicing.addCustomer({ address: ADDRESS });
    expect(await problemsOf({ customer_id, iss_withheld: true })).toEqual([]);
    expect(await ofService({ national_code: "170501" }, { customer_id })).toEqual([]);
  });

  test("are federal taxes of a MEI (E0676)", async () => {
    for (const name of ["ir_amount", "inss_amount", "csll_amount"])
      expect(await ofIssuer({ simples: 2 }, { [name]: "1" })).toContain("warning federal_taxes_of_mei issuer_id");
  });

  test("are what is not supported yet: immunity, exports, customers abroad, events and construction", async () => {
    expect(await ofService({ iss_taxation: 2 })).toEqual(["warning immunity_not_supported service_id"]);
    expect(await ofService({ iss_taxation: 3 })).toEqual(["warning export_not_supported service_id"]);
    expect(await ofService({ national_code: "120101" })).toContain("warning event_not_supported service_id");
    expect(await ofService({ national_code: "070202" })).toContain("warning works_not_supported service_id");
    const problem = "warning customer_abroad_not_supported customer_id";
    const of = async (customer: object) => problemsOf({ customer_id: (await invoicing.addCustomer(customer)).id });
    const abroad = { country: "PT", address: { ...ADDRESS, city_code: "Lisboa", postal_code: "1100-053" } };
    expect(await of({ document_type: "nif", document: "1", country: "PT" })).toEqual([problem]);
    expect(await of({ document_type: "none", document: null, ...abroad })).toEqual([problem]);
    expect(await of({ document_type: "none", document: null, country: "PT" })).toEqual([]);
  });

  test("are a taxation that its service does not have (E0532)", async () => {
    expect(await ofService({ national_code: "990101" })).toEqual(["warning taxation_not_allowed service_id"]);
    expect(await ofService({ national_code: "990101", iss_taxation: 4 })).toEqual([]);
  });

  test("are a series of others (E0010), and a special regime that the issuer cannot have (E0174, E0175)", async () => {
    const problem = "warning series_of_others issuer_id";
    for (const series of ["0", "00000", "50000", "99999"]) expect(await ofIssuer({ series })).toEqual([problem]);
    for (const series of ["1", "00001", "49999"]) expect(await ofIssuer({ series })).toEqual([]);
    const regime = "warning special_regime_not_allowed issuer_id";
    expect(await ofIssuer({ simples: 2, special_regime: 5 })).toEqual([regime]);
    expect(await ofIssuer({ simples: 3, simples_regime: 1, special_regime: 5 })).toEqual([regime]);
    expect(await ofIssuer({ simples: 3, simples_regime: 2, special_regime: 5 })).toEqual([]);
  });

  test("are no rate under 2 where the law has no least rate: 7.02, 7.05 and 16.01", async () => {
    for (const national_code of ["070203", "160101"])
      expect(await ofService({ national_code, iss_rate: "1.99" }, { deductions: "1" })).not.toContain(
        "error rate_under_2 iss_rate",
      );
    expect(await ofService({ national_code: "160201", iss_rate: "1.99" })).toContain("error rate_under_2 iss_rate");
  });

  test("warn of what the NFS-e says too little of", async () => {
    expect(await problemsOf({ pis_amount: "1" })).toEqual(["warning contributions_without_cst service_id"]);
    expect(await ofService({ pis_cofins_cst: "08" }, { pis_amount: "1" })).toEqual([]);
    expect(await ofService({ pis_cofins_cst: "01" })).toEqual(["warning cst_without_base service_id"]);
    expect(await ofService({ national_code: "110201" })).toEqual(["warning place_of_service service_id"]);
    const { id: customer_id } = await invoicing.addCustomer({ document_type: "none", document: null });
    const taxes = {
      nbs_code: "115021000",
      ibs_cbs: { operation_indicator: "030101", cst: "000", classification: "000001" },
    };
    expect(await ofService(taxes, { customer_id })).toEqual(["warning ibs_cbs_left_out customer_id"]);
    expect(await ofService(taxes)).toEqual([]);
  });

  test("stand in the order in which they refuse", async () => {
    const { id } = await invoicing.addIssuer({ municipal_code_required: true });
    expect(
      await problemsOf({
        issuer_id: id,
        iss_rate: "6",
        discount_unconditional: "2000",
        competence_date: tomorrow(),
        other_withholdings: "1",
      }),
    ).toEqual([
      "error competence_in_future competence_date",
      "error rate_over_5 iss_rate",
      "error discounts_over_services deductions",
      "error negative_net amount_services",
      "error municipal_code_required service_id",
      "error provider_not_ready issuer_id",
      "warning other_withholdings_without_field other_withholdings",
    ]);
  });
});

test("a preview asks for invoices:read, and any role has it", async () => {
  const writer = await organization.token("live", ["invoices:write"]);
  expectError(
    await invoicingCaller(selo, writer).ask("POST", "/invoices/preview", catalog.invoice),
    403,
    "missing_scope",
  );
  const { headers } = await signedIn(selo, organization, "accountant");
  const { status, body } = await invoicingCaller(selo, headers).ask("POST", "/invoices/preview", catalog.invoice);
  expect({ status, body }).toEqual({ status: 200, body: (await preview()).body });
  const forged = await invoicingCaller(selo, { cookie: headers.cookie }).ask(
    "POST",
    "/invoices/preview",
    catalog.invoice,
  );
  expectError(forged, 403, "csrf");
});

test("GraphQL answers the same", async () => {
  const { customer, service } = catalog;
  const input = (more = "") =>
    `customerId: "${customer.id}", serviceId: "${service.id}", amountServices: "1500", issRate: "6"${more}`;
  const FIELDS =
    "issBase issAmount withholdings { iss pis cofins inss ir csll other total } netAmount problems { code field severity message }";
  const answer = await graphql(selo, organization.live, `{ invoicePreview(${input()}) { ${FIELDS} } }`);
  expect(answer.errors).toEqual([]);
  const { body } = await preview({ iss_rate: "6" });
  expect(answered(answer, "invoicePreview")).toEqual({
    issBase: body.iss_base,
    issAmount: body.iss_amount,
    withholdings: body.withholdings,
    netAmount: body.net_amount,
    problems: [{ code: "rate_over_5", field: "iss_rate", severity: "error", message: body.problems[0].message }],
  });
  const wrong = await graphql(
    selo,
    organization.live,
    `{ invoicePreview(${input(', issuerId: "4711"')}) { netAmount } }`,
  );
  expect(wrong.errors[0]?.extensions).toMatchObject({
    code: "invalid_reference",
    http: { status: 422 },
    fields: [{ field: "issuerId" }],
  });
});

test("amounts are part of the plan of a list: no function is called for each invoice", async () => {
  const plan = async (query: string) =>
    JSON.stringify((await selo.database.admin.query(`explain (verbose, costs off) ${query}`)).rows);
  expect(await plan("select * from api.invoices")).not.toMatch(/amounts_of|withholdings_json/);
  expect(await plan("select * from invoicing.amounts_of(null)")).not.toContain("amounts_of");
});

test("10,000 random amounts come to what Python's decimal computes, half a cent rounded up", async () => {
  const amount = (most: number) => `${randomInt(most)}.${String(randomInt(100)).padStart(2, "0")}`;
  const cases = Array.from({ length: 10_000 }, (_, place) => {
    const most = 10 ** (1 + (place % 12));
    // The withheld amounts are smaller, so that most nets are above zero.
    const part = Math.ceil(most / 10);
    return {
      ...Object.fromEntries(MONEY.map((name) => [name, amount(name === "amount_services" ? most : part)])),
      iss_rate: `${randomInt(100)}.${String(randomInt(100)).padStart(2, "0")}`,
      iss_withheld: place % 2 === 0,
      service: { iss_taxation: 1 },
    };
  });
  const program = `
import json, sys
from decimal import Decimal, ROUND_HALF_UP
cent = Decimal("0.01")
found = []
for row in json.load(sys.stdin):
    money = {name: Decimal(value) for name, value in row.items() if name not in ("iss_withheld", "service")}
    base = max(money["amount_services"] - money["discount_unconditional"] - money["deductions"], Decimal("0.00"))
    iss = (base * money["iss_rate"] / 100).quantize(cent, rounding=ROUND_HALF_UP)
    withheld = iss if row["iss_withheld"] else Decimal("0.00")
    total = withheld + sum(money[name] for name in ("pis_amount", "cofins_amount", "inss_amount", "ir_amount", "csll_amount", "other_withholdings"))
    net = money["amount_services"] - money["discount_unconditional"] - money["discount_conditional"] - total
    found.append([str(value) for value in (base, iss, withheld, total, net)])
print(json.dumps(found))`;
  const expected = JSON.parse(
    execFileSync("python3", ["-c", program], { input: JSON.stringify(cases), encoding: "utf8", maxBuffer: 2 ** 26 }),
  );
  const { rows } = await selo.database.admin.query<{ amounts: string[] }>(
    `select array[iss_base::text, iss_amount::text, iss_withheld_amount::text, withheld_total::text, net_amount::text] as amounts
     from json_array_elements($1::json) with ordinality as given (value, place)
     cross join lateral invoicing.amounts_of(json_populate_record(null::invoicing.invoices, given.value)) order by given.place`,
    [JSON.stringify(cases)],
  );
  expect(rows.map(({ amounts }) => amounts)).toEqual(expected);
  // Half a cent itself: 0.50 at 1 % is 0.005.
  const half = await selo.database.admin.query(
    "select iss_amount::text from invoicing.amounts_of(json_populate_record(null::invoicing.invoices, $1))",
    [
      JSON.stringify({
        ...Object.fromEntries(MONEY.map((name) => [name, "0"])),
        amount_services: "0.50",
        iss_rate: "1",
        iss_withheld: false,
        service: { iss_taxation: 1 },
      }),
    ],
  );
  expect(half.rows).toEqual([{ iss_amount: "0.01" }]);
});
