// Services that are invoiced: issue "Invoicing" (/services), message-webhooks part B.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { actionsOf, INSTANT, invoicingCaller, long, SERVICE, tryValues, UUID_V7 } from "./invoicing-stage.ts";

let selo: TestGateway;
let organization: TestOrganization;
let invoicing: ReturnType<typeof invoicingCaller>;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  invoicing = invoicingCaller(selo, organization.live);
});
afterAll(() => selo?.stop());

const IBS_CBS = { operation_indicator: "030101", cst: "000", classification: "000001" };

describe("POST /services", () => {
  test("is 201 with the service, member for member; rates have two decimals", async () => {
    const { status, body } = await invoicing.ask("POST", "/services", {
      ...SERVICE,
      municipal_code: "001",
      nbs_code: "115021000",
      iss_rate: "2.5",
      iss_withheld: true,
      iss_taxation: 1,
      pis_cofins_cst: "01",
      approximate_taxes: { federal: "13.45", state: "0", municipal: "4.2" },
      ibs_cbs: IBS_CBS,
    });
    expect(status).toBe(201);
    expect(Object.entries(body)).toEqual([
      ["id", expect.stringMatching(UUID_V7)],
      ["name", SERVICE.name],
      ["description", SERVICE.description],
      ["national_code", SERVICE.national_code],
      ["municipal_code", "001"],
      ["nbs_code", "115021000"],
      ["iss_rate", "2.50"],
      ["iss_withheld", true],
      ["iss_taxation", 1],
      ["pis_cofins_cst", "01"],
      ["approximate_taxes", { federal: "13.45", state: "0.00", municipal: "4.20" }],
      ["ibs_cbs", IBS_CBS],
      ["archived_at", null],
      ["created_at", expect.stringMatching(INSTANT)],
    ]);
    expect((await invoicing.ask("GET", `/services/${body.id}`)).body).toEqual(body);
    expect(await actionsOf(selo, body.id)).toEqual(["invoice_service.created"]);
  });

  test("needs a name, a description, a national code and a rate; the rest is null, taxed and not withheld", async () => {
    for (const member of Object.keys(SERVICE)) {
      const { [member as keyof typeof SERVICE]: _, ...rest } = SERVICE;
      expectError(await invoicing.ask("POST", "/services", rest), 422, "invalid_request", [member]);
    }
    expect(await invoicing.addService()).toMatchObject({
      municipal_code: null,
      nbs_code: null,
      iss_withheld: false,
      iss_taxation: 1,
      pis_cofins_cst: null,
      approximate_taxes: null,
      ibs_cbs: null,
    });
  });
});

describe("PATCH /services/{id}", () => {
  const service = async (more: object = {}) => {
    const made = await invoicing.addService(more);
    return { made, patch: (body: object) => invoicing.ask("PATCH", `/services/${made.id}`, body) };
  };

  test("changes the given members; null removes a value, and an absent member stays", async () => {
    const { made, patch } = await service({ nbs_code: "115021000", pis_cofins_cst: "01", ibs_cbs: IBS_CBS });
    const { status, body } = await patch({ iss_rate: "2.9", pis_cofins_cst: null, ibs_cbs: null });
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...made, iss_rate: "2.90", pis_cofins_cst: null, ibs_cbs: null },
    });
    expect(await actionsOf(selo, made.id)).toEqual(["invoice_service.created", "invoice_service.changed"]);
  });

  test("that changes nothing records nothing", async () => {
    const taxes = { simples: "6.00" };
    const { made, patch } = await service({ approximate_taxes: taxes });
    for (const body of [{}, { iss_rate: "5" }, { approximate_taxes: { simples: "6" }, nbs_code: null }])
      expect(await patch(body)).toMatchObject({ status: 200, body: made });
    expect(await actionsOf(selo, made.id)).toEqual(["invoice_service.created"]);
  });

  test("takes the texts, codes and rates of the layout, with their limits", async () => {
    const { patch } = await service();
    const texts = ["", " ", "\n", "Łódź", "A\tB", null];
    await tryValues(patch, "name", { taken: ["A", long(254), long(255)], refused: [long(256), "A\nB", ...texts] });
    await tryValues(patch, "description", {
      taken: ["A\nB", "A\r\n\r\nB", long(1999), long(2000)],
      refused: [long(2001), ...texts],
    });
    const { body } = await patch({ name: " Consultoria ", description: "\nUma linha\noutra\n" });
    expect(body).toMatchObject({ name: "Consultoria", description: "Uma linha\noutra" });
    await tryValues(patch, "national_code", { taken: ["170101"], refused: ["17010", "1701011", "17.01.01", "", null] });
    await tryValues(patch, "municipal_code", { taken: ["001", null], refused: ["01", "0001", "abc", ""] });
    await tryValues(patch, "nbs_code", { taken: ["115021000", null], refused: ["11502100", "1150210000", ""] });
    await tryValues(patch, "pis_cofins_cst", { taken: ["01", null], refused: ["1", "001", "a1"] });
    await tryValues(patch, "iss_rate", {
      taken: ["0", "0.01", "2", "5.00", "99.99", "100", "100.00"],
      refused: ["100.01", "5.001", "5,00", "05", "-1", "", "1e1", ".5", "5.", null, 5],
    });
    await tryValues(patch, "iss_taxation", { taken: [1, 2, 3, 4], refused: [0, 5, "1", null, 1.5] });
    await tryValues(patch, "iss_withheld", { taken: [true, false], refused: [null, "true", 1] });
  });

  test("takes approximate taxes of three governments together, or of Simples alone", async () => {
    const { patch } = await service();
    const of = (approximate_taxes: unknown) => patch({ approximate_taxes });
    const all = { federal: "13.45", state: "0.00", municipal: "4.20" };
    for (const taxes of [all, { simples: "6.00" }, null])
      expect(await of(taxes)).toMatchObject({ status: 200, body: { approximate_taxes: taxes } });
    const refused = async (taxes: unknown, ...fields: string[]) =>
      expectError(await of(taxes), 422, "invalid_request", fields);
    await refused(
      { ...all, simples: "6.00" },
      ...["state", "federal", "municipal"].map((name) => `approximate_taxes.${name}`),
    );
    await refused({ federal: "1", state: "1" }, "approximate_taxes.municipal");
    await refused({}, ...["state", "federal", "municipal"].map((name) => `approximate_taxes.${name}`));
    await refused({ simples: "6,00" }, "approximate_taxes.simples");
    await refused({ simples: "100.01" }, "approximate_taxes.simples");
    await refused({ simples: "6.001" }, "approximate_taxes.simples");
    await refused({ simples: "6.00", city: "1" }, "approximate_taxes.city");
    await refused("6.00", "approximate_taxes");
  });

  test("takes IBS and CBS with the NBS code alone", async () => {
    const { patch } = await service();
    expectError(await patch({ ibs_cbs: IBS_CBS }), 422, "invalid_request", ["nbs_code"]);
    expect(await patch({ ibs_cbs: IBS_CBS, nbs_code: "115021000" })).toMatchObject({ status: 200 });
    expectError(await patch({ nbs_code: null }), 422, "invalid_request", ["nbs_code"]);
    for (const [member, wrong] of [
      ["operation_indicator", "03010"],
      ["cst", "00"],
      ["classification", "00001a"],
    ] as const)
      for (const value of [wrong, `${wrong}00`, ""])
        expectError(await patch({ ibs_cbs: { ...IBS_CBS, [member]: value } }), 422, "invalid_request", [
          `ibs_cbs.${member}`,
        ]);
    expectError(await patch({ ibs_cbs: { cst: "000" } }), 422, "invalid_request");
  });

  test("of another organization, another environment or nobody is 404", async () => {
    const { made } = await service();
    const stranger = await selo.newOrganization();
    for (const token of [stranger.live, organization.test]) {
      expectError(await call(selo, "GET", `/services/${made.id}`, { token }), 404, "not_found");
      expectError(await call(selo, "PATCH", `/services/${made.id}`, { token, body: { name: "B" } }), 404, "not_found");
      expectError(await call(selo, "POST", `/services/${made.id}/archive`, { token }), 404, "not_found");
      expect((await call(selo, "GET", "/services", { token })).body).toMatchObject({ items: [], total: 0 });
    }
  });
});

test("archived services are in the list of archived ones alone; the search looks at name, description and national code", async () => {
  const { live } = await selo.newOrganization();
  const { ask, addService } = invoicingCaller(selo, live);
  await addService({ name: "Kept", description: "50%_off", national_code: "170101" });
  const made = await addService({ name: "Gone" });
  const archived = await ask("POST", `/services/${made.id}/archive`);
  expect(archived).toMatchObject({ status: 200, body: { ...made, archived_at: expect.stringMatching(INSTANT) } });
  expect((await ask("POST", `/services/${made.id}/archive`)).body).toEqual(archived.body);
  expect(await actionsOf(selo, made.id)).toEqual(["invoice_service.created", "invoice_service.archived"]);
  const found = async (query: string) =>
    (await ask("GET", `/services?${query}`)).body.items.map(({ name }: { name: string }) => name);
  expect(await found("")).toEqual(["Kept"]);
  expect(await found("archived=true")).toEqual(["Gone"]);
  for (const search of ["KEPT", "%25_OFF", "1701"]) expect(await found(`search=${search}`)).toEqual(["Kept"]);
  for (const search of ["k%25t", "5_%25", "gone"]) expect(await found(`search=${search}`)).toEqual([]);
  expect(await found("search=gone&archived=true")).toEqual(["Gone"]);
});

test("rights: reading by any role, writing by members, or by tokens with the scope", async () => {
  const reader = invoicingCaller(selo, await organization.token("live", ["invoices:read"]));
  const { id } = await invoicing.addService();
  expectError(await reader.ask("POST", "/services", SERVICE), 403, "missing_scope");
  expectError(await reader.ask("POST", `/services/${id}/archive`), 403, "missing_scope");
  const accountant = invoicingCaller(selo, (await signedIn(selo, organization, "accountant")).headers);
  expect((await accountant.ask("GET", "/services?limit=1")).status).toBe(200);
  expectError(await accountant.ask("PATCH", `/services/${id}`, { iss_rate: "2.00" }), 403, "forbidden");
  const member = invoicingCaller(selo, (await signedIn(selo, organization, "member")).headers);
  expect((await member.ask("PATCH", `/services/${id}`, { iss_rate: "2.00" })).status).toBe(200);
});

test("GraphQL takes and answers the same", async () => {
  const TAXES = "approximateTaxes { federal state municipal simples } ibsCbs { operationIndicator cst classification }";
  const FIELDS = `id name issRate issWithheld issTaxation ${TAXES} nbsCode archivedAt`;
  const { live } = await selo.newOrganization();
  const run = (field: string, input: string) =>
    graphql(selo, live, `mutation { ${field}(input: {${input}}) { service { ${FIELDS} } } }`);
  const made = await run(
    "createInvoiceService",
    `name: "A", description: "B", nationalCode: "010601", nbsCode: "115021000", issRate: "5", approximateTaxes: {simples: "6"},
     ibsCbs: {operationIndicator: "030101", cst: "000", classification: "000001"}`,
  );
  expect(made.errors).toEqual([]);
  const { service } = answered<{ service: { id: string } }>(made, "createInvoiceService");
  expect(service).toEqual({
    id: expect.stringMatching(UUID_V7),
    name: "A",
    issRate: "5.00",
    issWithheld: false,
    issTaxation: 1,
    approximateTaxes: { federal: null, state: null, municipal: null, simples: "6.00" },
    ibsCbs: { operationIndicator: "030101", cst: "000", classification: "000001" },
    nbsCode: "115021000",
    archivedAt: null,
  });
  expect(
    answered(await run("updateInvoiceService", `id: "${service.id}", issRate: "2.9"`), "updateInvoiceService"),
  ).toEqual({
    service: { ...service, issRate: "2.90" },
  });
  const wrong = await run(
    "updateInvoiceService",
    `id: "${service.id}", ibsCbs: {operationIndicator: "1", cst: "000", classification: "000001"}`,
  );
  expect(wrong.errors[0]?.extensions.fields).toMatchObject([{ field: "ibsCbs.operationIndicator" }]);
  expect((await run("archiveInvoiceService", `id: "${service.id}"`)).errors).toEqual([]);
  const listed = await graphql(selo, live, "{ invoiceServices { nodes { name archivedAt } } }");
  expect(listed.data).toEqual({
    invoiceServices: { nodes: [{ name: "A", archivedAt: expect.stringMatching(INSTANT) }] },
  });
});

test("selo audit verify finds nothing after all this, and finds a rate that was edited by hand", async () => {
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
  const { id } = await invoicing.addService();
  await selo.database.admin.query("update invoicing.services set iss_rate = 2 where id = $1", [id]);
  expect((await verifyAll(selo.operator)).faults).toMatchObject([{ check_name: "records", subject_id: id }]);
});
