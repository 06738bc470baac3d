// Customers of invoices: issue "Invoicing" (/customers), message-webhooks part B.
import { cnpj, cpf } from "cpf-cnpj-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { ADDRESS, actionsOf, CUSTOMER, INSTANT, invoicingCaller, long, tryValues, UUID_V7 } from "./invoicing-stage.ts";

let selo: TestGateway;
let organization: TestOrganization;
let invoicing: ReturnType<typeof invoicingCaller>;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  invoicing = invoicingCaller(selo, organization.live);
});
afterAll(() => selo?.stop());

const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

describe("POST /customers", () => {
  test("is 201 with the customer, member for member", async () => {
    const { status, body } = await invoicing.ask("POST", "/customers", {
      ...CUSTOMER,
      email: "financeiro@padaria.example",
      phone: "1130001000",
      municipal_registration: "12345A",
      address: ADDRESS,
    });
    expect(status).toBe(201);
    expect(Object.entries(body)).toEqual([
      ["id", expect.stringMatching(UUID_V7)],
      ["name", CUSTOMER.name],
      ["document_type", "cnpj"],
      ["document", CUSTOMER.document],
      ["country", "BR"],
      ["email", "financeiro@padaria.example"],
      ["phone", "1130001000"],
      ["municipal_registration", "12345A"],
      ["address", ADDRESS],
      ["archived_at", null],
      ["created_at", expect.stringMatching(INSTANT)],
    ]);
    expect((await invoicing.ask("GET", `/customers/${body.id}`)).body).toEqual(body);
    expect(await actionsOf(selo, body.id)).toEqual(["invoice_customer.created"]);
  });

  test("needs a name and what identifies the customer; the rest is null, and the country BR", async () => {
    expectError(await invoicing.ask("POST", "/customers", { name: "A" }), 422, "invalid_request", ["document_type"]);
    expectError(await invoicing.ask("POST", "/customers", { document_type: "none" }), 422, "invalid_request", ["name"]);
    const { status, body } = await invoicing.ask("POST", "/customers", { name: "A", document_type: "none" });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { document: null, country: "BR", email: null, phone: null, municipal_registration: null, address: null },
    });
  });

  test("gives members of an address that the request leaves out as null", async () => {
    const abroad = { name: "Ana", document_type: "nif", document: "PT-123", country: "PT" };
    const { body } = await invoicing.ask("POST", "/customers", {
      ...abroad,
      address: { street: "Rua Augusta", number: "1", district: "Baixa" },
    });
    expect(body.address).toEqual({
      street: "Rua Augusta",
      number: "1",
      complement: null,
      district: "Baixa",
      city_code: null,
      postal_code: null,
    });
    expectError(
      await invoicing.ask("POST", "/customers", {
        ...CUSTOMER,
        address: { street: "Rua", number: "1", district: "Centro" },
      }),
      422,
      "invalid_request",
      ["address.city_code", "address.postal_code"],
    );
  });

  test("refuses a document that the kind of document does not have", async () => {
    const refused = async (body: object, field: string) =>
      expectError(await invoicing.ask("POST", "/customers", { name: "A", ...body }), 422, "invalid_request", [field]);
    await refused({ document_type: "cpf", document: "52998224724" }, "document");
    await refused({ document_type: "cpf" }, "document");
    await refused({ document_type: "cpf", document: "11222333000181" }, "document");
    await refused({ document_type: "cnpj", document: "11.222.333/0001-81" }, "document");
    await refused({ document_type: "cnpj", document: "12ABC34501DE36" }, "document");
    await refused({ document_type: "none", document: "52998224725" }, "document");
    await refused({ document_type: "nif", country: "PT" }, "document");
    await refused({ document_type: "nif", document: "123" }, "country");
    await refused({ document_type: "cnpj", document: "11222333000181", country: "PT" }, "country");
    await refused({ document_type: "passport" }, "document_type");
    for (const [document_type, document] of [
      ["cpf", "52998224725"],
      ["cnpj", "12ABC34501DE35"],
    ])
      expect((await invoicing.ask("POST", "/customers", { name: "A", document_type, document })).status).toBe(201);
  });
});

test("check digits of CPF and CNPJ are judged as cpf-cnpj-validator judges them", async () => {
  const pick = (letters: string) => letters[Math.floor(Math.random() * letters.length)] ?? "";
  const digit = () => pick("0123456789");
  const spoiled = (text: string, letter: () => string) => {
    const at = Math.floor(Math.random() * text.length);
    return text.slice(0, at) + letter() + text.slice(at + 1);
  };
  const texts = Array.from({ length: 500 }, () => [cpf.generate(), cnpj.generate()]).flatMap(
    ([person = "", company = ""]) => [
      person,
      spoiled(person, digit),
      company,
      spoiled(company, () => pick("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
    ],
  );
  expect(texts.length).toBe(2000);
  texts.push("12ABC34501DE35", "12ABC34501DE36", "00000000000", "11111111111111", "", "5299822472", "112223330001811");
  const { rows } = await selo.database.admin.query<{ text: string; is_cpf: boolean; is_cnpj: boolean }>(
    "select text, invoicing.is_cpf(text) as is_cpf, invoicing.is_cnpj(text) as is_cnpj from unnest($1::text[]) as text",
    [texts],
  );
  // Strict: else the library strips the letters of a CNPJ, and eleven digits that are left may be a CPF by chance.
  const judged = texts.map((text) => ({ text, is_cpf: cpf.isValid(text, true), is_cnpj: cnpj.isValid(text, true) }));
  expect(rows).toEqual(judged);
  expect(rows.filter(({ is_cpf }) => is_cpf).length).toBeGreaterThan(499);
  expect(rows.filter(({ is_cnpj }) => is_cnpj).length).toBeGreaterThan(499);
});

test("small letters and separators make no document", async () => {
  const { rows } = await selo.database.admin.query(
    "select invoicing.is_cnpj('12abc34501de35') as small, invoicing.is_cpf('529.982.247-25') as separated, invoicing.is_cpf(null) as nothing",
  );
  expect(rows).toEqual([{ small: false, separated: false, nothing: null }]);
});

test("codes of municipalities have right check digits, but for nine of them", async () => {
  const right = ["3550308", "3304557", "5300108", "4106902", "2927408", "1302603", "2304400", "4314902", "5208707"];
  const other = "2201919 2201988 2202251 2611533 3117836 3152131 4305871 5203939 5203962".split(" ");
  const wrong = ["3550309", "3304550", "5300100", "4106903", "2201918", "6000000", "0000000", "355030", "35503080", ""];
  const { rows } = await selo.database.admin.query<{ text: string; is: boolean }>(
    'select text, invoicing.is_city_code(text) as "is" from unnest($1::text[]) as text',
    [[...right, ...other, ...wrong]],
  );
  expect(rows.filter((row) => row.is).map(({ text }) => text)).toEqual([...right, ...other]);
});

describe("PATCH /customers/{id}", () => {
  const customer = async () => {
    const made = await invoicing.addCustomer({ email: "a@padaria.example", phone: "1130001000", address: ADDRESS });
    return { made, patch: (body: object) => invoicing.ask("PATCH", `/customers/${made.id}`, body) };
  };

  test("changes the given members; null removes a value, and an absent member stays", async () => {
    const { made, patch } = await customer();
    const { status, body } = await patch({ phone: "11987654321", email: null });
    expect({ status, body }).toEqual({ status: 200, body: { ...made, phone: "11987654321", email: null } });
    expect((await patch({ address: null })).body).toEqual({ ...body, address: null });
    expect(await actionsOf(selo, made.id)).toEqual([
      "invoice_customer.created",
      "invoice_customer.changed",
      "invoice_customer.changed",
    ]);
  });

  test("that changes nothing records nothing", async () => {
    const { made, patch } = await customer();
    for (const body of [{}, { name: made.name }, { address: ADDRESS, email: made.email, municipal_registration: null }])
      expect(await patch(body)).toMatchObject({ status: 200, body: made });
    expect(await actionsOf(selo, made.id)).toEqual(["invoice_customer.created"]);
  });

  test("takes the texts of the layout, with their limits", async () => {
    const { patch } = await customer();
    const texts = ["", " ", "\u00a0\n", "A\nB", "A\tB", "Łódź", "A\u00a0B"];
    await tryValues(patch, "name", {
      taken: ["A", long(299), long(300), "Ação & Cia. <ª>"],
      refused: [long(301), null, 1, ...texts],
    });
    await tryValues(patch, "email", {
      taken: [null, `${"a".repeat(60)}@${"b".repeat(11)}.example`],
      refused: [`${"a".repeat(60)}@${"b".repeat(12)}.example`, "no", "á@b", "ł@b.example"],
    });
    await tryValues(patch, "phone", {
      taken: [null, "123456", "1".repeat(20)],
      refused: ["12345", "1".repeat(21), "+5511"],
    });
    await tryValues(patch, "municipal_registration", {
      taken: [null, "1", "A".repeat(15)],
      refused: ["", "A".repeat(16), "1-2"],
    });
    await tryValues(patch, "country", { taken: ["BR"], refused: ["br", "B", "BRA", null, "PT"] });
    await tryValues(patch, "document_type", { refused: [null, "CPF"] });
    await tryValues(patch, "document", {
      taken: ["12ABC34501DE35"],
      refused: [null, "11222333000180", "1".repeat(41)],
    });
    const addressed = (change: object) =>
      patch({ address: { ...ADDRESS, ...(change as { address: object }).address } });
    for (const [member, most, optional] of [
      ["street", 255, false],
      ["number", 60, false],
      ["complement", 156, true],
      ["district", 60, false],
    ] as const)
      await tryValues(addressed, `address.${member}`, {
        taken: ["A", long(most), ...(optional ? [null] : [])],
        refused: [long(most + 1), ...texts, ...(optional ? [] : [null])],
      });
    await tryValues(addressed, "address.city_code", {
      taken: ["3304557"],
      refused: ["3550309", "São Paulo", null, ""],
    });
    await tryValues(addressed, "address.postal_code", { taken: ["20040002"], refused: ["2004000", "20040-002", null] });
  });

  test("removes space at the ends of texts, which nobody means", async () => {
    const { made, patch } = await customer();
    const address = { ...ADDRESS, street: "\t Rua do Ouvidor\n", complement: " " };
    expectError(await patch({ address }), 422, "invalid_request", ["address.complement"]);
    const { body } = await patch({
      name: "\u00a0 Padaria Aurora \r\n",
      email: " a@b.example ",
      document: ` ${made.document} `,
      address: { ...address, complement: null },
    });
    const trimmed = { name: "Padaria Aurora", email: "a@b.example", document: made.document };
    expect(body).toMatchObject({ ...trimmed, address: { street: "Rua do Ouvidor" } });
    const given = { ...CUSTOMER, name: " Ana ", document: `${CUSTOMER.document}\n` };
    const { body: other } = await invoicing.ask("POST", "/customers", given);
    expect(other).toMatchObject({ name: "Ana", document: CUSTOMER.document });
  });

  test("of a customer abroad takes the name of the city and any postal code of 11 characters", async () => {
    const { id } = await invoicing.addCustomer({ document_type: "nif", document: long(40), country: "PT" });
    const patch = (body: object) => invoicing.ask("PATCH", `/customers/${id}`, body);
    await tryValues(patch, "document", { taken: ["1"], refused: [long(41), "", null, " "] });
    const addressed = (change: object) =>
      patch({ address: { ...ADDRESS, ...(change as { address: object }).address } });
    await tryValues(addressed, "address.city_code", { taken: ["Lisboa", long(60)], refused: [long(61), "Łódź"] });
    await tryValues(addressed, "address.postal_code", {
      taken: ["1100-053", "1".repeat(11)],
      refused: ["1".repeat(12)],
    });
  });

  test("knows no other member, at the top and in the address", async () => {
    const { patch } = await customer();
    expectError(await patch({ archived_at: null }), 422, "invalid_request", ["archived_at"]);
    const nested = await patch({ address: { ...ADDRESS, state: "SP" } });
    expect([nested.status, nested.body.fields[0].field]).toEqual([422, "address.state"]);
    for (const address of ["Rua", [], 1]) expect((await patch({ address })).status).toBe(422);
  });

  test("of another organization, another environment or nobody is 404", async () => {
    const { made } = await customer();
    const stranger = await selo.newOrganization();
    for (const token of [stranger.live, organization.test])
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["POST", "/archive"],
      ] as const)
        expectError(
          await call(selo, method, `/customers/${made.id}${path}`, {
            token,
            ...(method === "PATCH" ? { body: { name: "B" } } : {}),
          }),
          404,
          "not_found",
        );
    for (const token of [stranger.live, organization.test])
      expect((await call(selo, "GET", "/customers", { token })).body).toMatchObject({ items: [], total: 0 });
    expect((await invoicing.ask("GET", `/customers/${made.id}`)).body).toEqual(made);
  });
});

test("an archived customer is in the list of archived ones alone, and is archived once", async () => {
  const { live } = await selo.newOrganization();
  const { ask, addCustomer } = invoicingCaller(selo, live);
  const kept = await addCustomer({ name: "Kept" });
  const made = await addCustomer({ name: "Gone" });
  const archived = await ask("POST", `/customers/${made.id}/archive`);
  expect(archived).toMatchObject({
    status: 200,
    body: { ...made, archived_at: expect.stringMatching(INSTANT) },
  });
  expect((await ask("POST", `/customers/${made.id}/archive`)).body).toEqual(archived.body);
  expect(await actionsOf(selo, made.id)).toEqual(["invoice_customer.created", "invoice_customer.archived"]);
  const list = async (query: string) => (await ask("GET", `/customers${query}`)).body;
  expect(await list("")).toEqual({ items: [kept], total: 1, limit: 50, offset: 0, next_cursor: null });
  expect(await list("?archived=false")).toEqual(await list(""));
  expect(await list("?archived=true")).toMatchObject({ items: [archived.body], total: 1 });
  const ids = async (given: string) =>
    answered<{ nodes: { id: string }[] }>(
      await graphql(selo, live, `{ invoiceCustomers(first: 200, ${given}) { nodes { id } } }`),
      "invoiceCustomers",
    ).nodes.map(({ id }) => id);
  expect([await ids("archived: true"), (await ids("archived: false")).includes(made.id)]).toEqual([[made.id], false]);
  expect(await ids("archived: null")).toContain(made.id);
  expectError(await ask("GET", "/customers?archived=yes"), 422, "invalid_request", ["archived"]);
});

test("the search is literal, ignores capitals, and looks at name, document and e-mail address", async () => {
  const { live } = await selo.newOrganization();
  const { ask, addCustomer } = invoicingCaller(selo, live);
  for (const name of ["Padaria Aurora", "100% Açaí", "a_b", "axb"]) await addCustomer({ name });
  await addCustomer({ name: "Mail", email: "Aurora@loja.example", document: "12ABC34501DE35" });
  const found = async (search: string, more = "") => {
    const inRest = names((await ask("GET", `/customers?search=${encodeURIComponent(search)}${more}`)).body.items);
    const query = `{ invoiceCustomers(search: ${JSON.stringify(search)}) { nodes { name } } }`;
    const { nodes } = answered<{ nodes: { name: string }[] }>(await graphql(selo, live, query), "invoiceCustomers");
    if (more === "") expect(names(nodes)).toEqual(inRest);
    return inRest;
  };
  expect(await found("AURORA")).toEqual(["Mail", "Padaria Aurora"]);
  expect(await found("%")).toEqual(["100% Açaí"]);
  expect(await found("açaÍ")).toEqual(["100% Açaí"]);
  expect(await found("açaÍ".normalize("NFD"))).toEqual(["100% Açaí"]);
  expect(await found("a_b")).toEqual(["a_b"]);
  expect(await found("\\")).toEqual([]);
  expect(await found("abc345")).toEqual(["Mail"]);
  expect(await found("aurora", "&archived=true")).toEqual([]);
  // Pages go on within the search.
  const page = (await ask("GET", "/customers?search=aurora&limit=1")).body;
  expect(page).toMatchObject({ total: 2, items: [{ name: "Mail" }] });
  expect(names((await ask("GET", "/customers?search=aurora&limit=1&offset=1")).body.items)).toEqual(["Padaria Aurora"]);
  expect((await ask("GET", `/customers?search=${"a".repeat(255)}`)).status).toBe(200);
  expectError(await ask("GET", `/customers?search=${"a".repeat(256)}`), 422, "invalid_request", ["search"]);
  const long = await graphql(selo, live, `{ invoiceCustomers(search: "${"a".repeat(256)}") { totalCount } }`);
  expect(long.errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields: [{ field: "search" }] });
});

test("tokens need invoices:read or invoices:write", async () => {
  const { id } = await invoicing.addCustomer();
  const reader = invoicingCaller(selo, await organization.token("live", ["invoices:read"]));
  const writer = invoicingCaller(selo, await organization.token("live", ["invoices:write"]));
  expect((await reader.ask("GET", `/customers/${id}`)).status).toBe(200);
  expectError(await reader.ask("POST", "/customers", CUSTOMER), 403, "missing_scope");
  expectError(await reader.ask("PATCH", `/customers/${id}`, {}), 403, "missing_scope");
  expectError(await reader.ask("POST", `/customers/${id}/archive`), 403, "missing_scope");
  expectError(await writer.ask("GET", "/customers"), 403, "missing_scope");
  expectError(await call(selo, "GET", "/customers"), 401, "unauthenticated");
});

test("people read in any role, and members write, with the token against forged requests", async () => {
  const accountant = invoicingCaller(selo, (await signedIn(selo, organization, "accountant")).headers);
  const { headers } = await signedIn(selo, organization, "member");
  const member = invoicingCaller(selo, headers);
  const { id } = await member.addCustomer();
  expect((await accountant.ask("GET", `/customers/${id}`)).status).toBe(200);
  expectError(await accountant.ask("POST", "/customers", CUSTOMER), 403, "forbidden");
  expectError(await invoicingCaller(selo, { cookie: headers.cookie }).ask("POST", "/customers", CUSTOMER), 403, "csrf");
});

test("GraphQL takes and answers the same", async () => {
  const FIELDS =
    "id name documentType document country email phone municipalRegistration address { street number complement district cityCode postalCode } archivedAt createdAt";
  const { live } = await selo.newOrganization();
  const run = (field: string, input: string) =>
    graphql(selo, live, `mutation { ${field}(input: {${input}}) { customer { ${FIELDS} } } }`);
  const made = await run(
    "createInvoiceCustomer",
    `name: "Maria", documentType: CPF, document: "52998224725", address: {street: "Rua A", number: "1", district: "Centro", cityCode: "3550308", postalCode: "01001000"}`,
  );
  expect(made.errors).toEqual([]);
  const { customer } = answered<{ customer: { id: string } }>(made, "createInvoiceCustomer");
  const { ask, addCustomer } = invoicingCaller(selo, live);
  const { body } = await ask("GET", `/customers/${customer.id}`);
  expect(customer).toEqual({
    id: body.id,
    name: "Maria",
    documentType: "CPF",
    document: "52998224725",
    country: "BR",
    email: null,
    phone: null,
    municipalRegistration: null,
    address: {
      street: "Rua A",
      number: "1",
      complement: null,
      district: "Centro",
      cityCode: "3550308",
      postalCode: "01001000",
    },
    archivedAt: null,
    createdAt: body.created_at,
  });
  expect(body.address).toMatchObject({ city_code: "3550308", complement: null });
  const changed = await run("updateInvoiceCustomer", `id: "${body.id}", email: "m@a.example", address: null`);
  expect(answered(changed, "updateInvoiceCustomer")).toMatchObject({
    customer: { ...customer, email: "m@a.example", address: null },
  });
  const wrong = await run("createInvoiceCustomer", `name: "Maria", documentType: CPF, document: "1"`);
  expect(wrong.errors[0]?.extensions).toMatchObject({
    code: "invalid_request",
    http: { status: 422 },
    fields: [{ field: "document" }],
  });
  const nested = await run(
    "updateInvoiceCustomer",
    `id: "${body.id}", address: {street: "A", number: "1", district: "B", cityCode: "3550309", postalCode: "01001000"}`,
  );
  expect(nested.errors[0]?.extensions.fields).toMatchObject([{ field: "address.cityCode" }]);
  await addCustomer({ name: "Second" });
  const listed = await graphql(
    selo,
    live,
    "{ invoiceCustomers(first: 1) { totalCount nodes { name } pageInfo { hasNextPage } } }",
  );
  expect(listed.errors).toEqual([]);
  expect(listed.data).toEqual({
    invoiceCustomers: { totalCount: 2, nodes: [{ name: "Second" }], pageInfo: { hasNextPage: true } },
  });
  const archived = await run("archiveInvoiceCustomer", `id: "${body.id}"`);
  expect(answered<{ customer: object }>(archived, "archiveInvoiceCustomer").customer).toMatchObject({
    archivedAt: expect.stringMatching(INSTANT),
  });
});

test("selo audit verify finds nothing after all this, and finds each row that was edited by hand", async () => {
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
  const { id } = await invoicing.addCustomer();
  await selo.database.admin.query("update invoicing.customers set phone = '999999' where id = $1", [id]);
  expect((await verifyAll(selo.operator)).faults).toMatchObject([{ check_name: "records", subject_id: id }]);
});
