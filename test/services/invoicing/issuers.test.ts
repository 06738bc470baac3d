// Issuers of invoices: issue "Invoicing" (/issuers), message-webhooks part B.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type A1Request,
  makeA1,
  makeAuthority,
} from "../../../src/adapters/tax-authority/simulator/demo-certificates.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
import { a1File, PASSWORD } from "./certificate-file.ts";
import { actionsOf, INSTANT, ISSUER, invoicingCaller, long, tryValues, UUID_V7 } from "./invoicing-stage.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo?.stop());

/** A new organization, which has no issuer yet. */
const anOrganization = async () => {
  const made = await selo.newOrganization();
  return { organization: made, ...invoicingCaller(selo, made.live) };
};
const codesOf = ({ problems }: { readonly problems: readonly { readonly code: string }[] }) =>
  problems.map(({ code }) => code);

describe("POST /issuers", () => {
  test("is 201 with the issuer, member for member; the first is the default", async () => {
    const { ask } = await anOrganization();
    const { status, body } = await ask("POST", "/issuers", {
      ...ISSUER,
      municipal_registration: "4455667",
      simples: 3,
      simples_regime: 1,
      special_regime: 6,
      series: "70",
      next_number: 421,
      municipal_code_required: true,
      is_default: false,
    });
    expect(status).toBe(201);
    expect(Object.entries(body)).toEqual([
      ["id", expect.stringMatching(UUID_V7)],
      ["cnpj", ISSUER.cnpj],
      ["name", ISSUER.name],
      ["municipal_registration", "4455667"],
      ["city_code", "3550308"],
      ["simples", 3],
      ["simples_regime", 1],
      ["special_regime", 6],
      ["series", "70"],
      ["next_number", 421],
      ["municipal_code_required", true],
      ["is_default", true],
      ["certificate", null],
      ["ready", false],
      [
        "problems",
        [
          { code: "route_closed", message: expect.stringMatching(/\w/) },
          { code: "certificate_missing", message: "The issuer has no certificate." },
        ],
      ],
      ["archived_at", null],
      ["created_at", expect.stringMatching(INSTANT)],
    ]);
    expect((await ask("GET", `/issuers/${body.id}`)).body).toEqual(body);
    expect(await actionsOf(selo, body.id)).toEqual(["invoice_issuer.created"]);
  });

  test("needs CNPJ, name, municipality and Simples; numbers begin with 1, in series 1", async () => {
    const { ask, addIssuer } = await anOrganization();
    for (const member of Object.keys(ISSUER)) {
      const { [member as keyof typeof ISSUER]: _, ...rest } = ISSUER;
      expectError(await ask("POST", "/issuers", rest), 422, "invalid_request", [member]);
    }
    expect(await addIssuer()).toMatchObject({
      municipal_registration: null,
      simples_regime: null,
      special_regime: 0,
      series: "1",
      next_number: 1,
      municipal_code_required: false,
    });
  });

  test("takes a regime of Simples of small companies alone", async () => {
    const { ask, addIssuer } = await anOrganization();
    for (const more of [{ simples: 3 }, { simples_regime: 1 }, { simples: 2, simples_regime: 1 }])
      expectError(await ask("POST", "/issuers", { ...ISSUER, ...more }), 422, "invalid_request", ["simples_regime"]);
    const { id } = await addIssuer({ simples: 3, simples_regime: 2 });
    expectError(await ask("PATCH", `/issuers/${id}`, { simples: 2 }), 422, "invalid_request", ["simples_regime"]);
    expect(await ask("PATCH", `/issuers/${id}`, { simples: 2, simples_regime: null })).toMatchObject({ status: 200 });
  });
});

describe("the default issuer", () => {
  const defaults = async (ask: ReturnType<typeof invoicingCaller>["ask"]) =>
    (await ask("GET", "/issuers")).body.items
      .filter((issuer: { is_default: boolean }) => issuer.is_default)
      .map(({ id }: { id: string }) => id);

  test("is one: the one that was said last", async () => {
    const { ask, addIssuer } = await anOrganization();
    const first = await addIssuer();
    const second = await addIssuer();
    expect([first.is_default, second.is_default]).toEqual([true, false]);
    expect((await ask("PATCH", `/issuers/${second.id}`, { is_default: true })).body).toMatchObject({
      is_default: true,
    });
    expect(await defaults(ask)).toEqual([second.id]);
    expect(await actionsOf(selo, first.id)).toEqual(["invoice_issuer.created", "invoice_issuer.changed"]);
    const third = await addIssuer({ is_default: true });
    expect(await defaults(ask)).toEqual([third.id]);
  });

  test("of each environment is its own", async () => {
    const { organization: own, ask, addIssuer } = await anOrganization();
    const { id } = await addIssuer();
    expect((await invoicingCaller(selo, own.test).addIssuer()).is_default).toBe(true);
    expect(await defaults(ask)).toEqual([id]);
  });

  test("that is archived is it no more, and cannot be it again; the next that is added is", async () => {
    const { ask, addIssuer } = await anOrganization();
    const { id } = await addIssuer();
    const archived = await ask("POST", `/issuers/${id}/archive`);
    expect(archived).toMatchObject({
      status: 200,
      body: { is_default: false, archived_at: expect.stringMatching(INSTANT) },
    });
    expect((await ask("POST", `/issuers/${id}/archive`)).body).toEqual(archived.body);
    expect(await actionsOf(selo, id)).toEqual(["invoice_issuer.created", "invoice_issuer.archived"]);
    expectError(await ask("PATCH", `/issuers/${id}`, { is_default: true }), 422, "invalid_request", ["is_default"]);
    expect((await addIssuer()).is_default).toBe(true);
  });

  test("stays one when many requests at once say another, add one or archive one", async () => {
    const { ask, addIssuer } = await anOrganization();
    const added = await Promise.all(Array.from({ length: 4 }, () => addIssuer()));
    expect(added.filter(({ is_default }) => is_default).length).toBe(1);
    const ids = added.map(({ id }) => id as string);
    const answers = await Promise.all([
      ...ids.map((id) => ask("PATCH", `/issuers/${id}`, { is_default: true })),
      ...ids.map(() => ask("POST", "/issuers", { ...ISSUER, is_default: true })),
      ask("POST", `/issuers/${ids[0]}/archive`),
    ]);
    const statuses = answers.map(({ status }) => status);
    // The first may have been archived before.
    expect([200, 422]).toContain(statuses.shift());
    expect(statuses).toEqual([200, 200, 200, 201, 201, 201, 201, 200]);
    expect((await defaults(ask)).length).toBe(1);
  });
});

describe("PATCH /issuers/{id}", () => {
  const issuer = async (more: object = {}) => {
    const { ask, addIssuer, organization: own } = await anOrganization();
    const made = await addIssuer(more);
    return { made, own, patch: (body: object) => ask("PATCH", `/issuers/${made.id}`, body) };
  };

  test("changes the given members; null removes a value, and an absent member stays", async () => {
    const { made, patch } = await issuer({ municipal_registration: "1" });
    const { status, body } = await patch({ name: "Nova Ltda", municipal_registration: null });
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...made, name: "Nova Ltda", municipal_registration: null },
    });
    expect(await actionsOf(selo, made.id)).toEqual(["invoice_issuer.created", "invoice_issuer.changed"]);
  });

  test("that changes nothing records nothing", async () => {
    const { made, patch } = await issuer();
    for (const body of [{}, { next_number: 1, is_default: true }, { name: made.name, municipal_registration: null }])
      expect(await patch(body)).toMatchObject({ status: 200, body: made });
    expect(await actionsOf(selo, made.id)).toEqual(["invoice_issuer.created"]);
  });

  test("lets the next number grow alone", async () => {
    const { patch } = await issuer({ next_number: 421 });
    await tryValues(patch, "next_number", {
      taken: [421, 422, 999_999_999_999_999],
      refused: [421, 0, -1, 1_000_000_000_000_000, null, "423", 1.5],
    });
    const { body } = await patch({ next_number: 400 });
    expect(body.fields).toEqual([
      { field: "next_number", message: "must be at least 999999999999999: numbers only grow" },
    ]);
  });

  test("takes the texts, codes and numbers of the layout, with their limits", async () => {
    const { patch } = await issuer();
    await tryValues(patch, "cnpj", {
      taken: ["12ABC34501DE35", ISSUER.cnpj],
      refused: ["12ABC34501DE36", "12abc34501de35", "1234567800019", "11111111111111", "", null],
    });
    await tryValues(patch, "name", {
      taken: ["A", long(300)],
      refused: [long(301), "", " ", "A\nB", "Łódź", null],
    });
    await tryValues(patch, "municipal_registration", {
      taken: ["1", "A".repeat(15), null],
      refused: ["", "A".repeat(16), "1-2"],
    });
    await tryValues(patch, "city_code", { taken: ["5300108"], refused: ["5300109", "530010", "Brasília", "", null] });
    await tryValues(patch, "simples", { taken: [1, 2], refused: [0, 4, "1", null] });
    await tryValues(patch, "special_regime", { taken: [0, 1, 2, 3, 4, 5, 6], refused: [-1, 7, null] });
    await tryValues(patch, "series", { taken: ["1", "00001", "49999"], refused: ["", "123456", "A", null, 1] });
    await tryValues(patch, "municipal_code_required", { taken: [true, false], refused: [null, "true"] });
    await tryValues(patch, "is_default", { taken: [true], refused: [null, 1] });
  });

  test("of another organization, another environment or nobody is 404", async () => {
    const { made, own } = await issuer();
    const stranger = await selo.newOrganization();
    for (const token of [stranger.live, own.test]) {
      expectError(await call(selo, "GET", `/issuers/${made.id}`, { token }), 404, "not_found");
      expectError(await call(selo, "PATCH", `/issuers/${made.id}`, { token, body: { name: "B" } }), 404, "not_found");
      expectError(await call(selo, "POST", `/issuers/${made.id}/archive`, { token }), 404, "not_found");
      expect((await call(selo, "GET", "/issuers", { token })).body).toMatchObject({ items: [], total: 0 });
    }
  });
});

describe("POST /issuers/{id}/certificate", () => {
  const certify = (issuerId: string, file: Buffer, password = PASSWORD) => {
    const form = new FormData();
    form.set("password", password);
    form.set("file", new Blob([new Uint8Array(file)]), "a1.pfx");
    return call(selo, "POST", `/issuers/${issuerId}/certificate`, { token: organization.live, body: form });
  };
  const issuerOf = async (id: string) => (await call(selo, "GET", `/issuers/${id}`, { token: organization.live })).body;
  const added = () => invoicingCaller(selo, organization.live).addIssuer();
  /** A file that is right but for what is said. */
  const a1 = async (more: Partial<A1Request>) => {
    const right = { cnpj: ISSUER.cnpj, name: ISSUER.name, password: PASSWORD };
    return (await makeA1(await makeAuthority(new Date()), { ...right, ...more })).p12;
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

  test.each<[string, () => Promise<Buffer>, string, RegExp, string?]>([
    ["of another CNPJ", () => a1({ cnpj: "11222333000181" }), "file", /is of another CNPJ$/],
    ["of no CNPJ", () => a1({ withoutCnpj: true }), "file", /names no CNPJ$/],
    [
      "that expired",
      () => a1({ notBefore: inDays(-30), notAfter: inDays(-1) }),
      "file",
      /this one expired on \d{4}-\d\d-\d\d$/,
    ],
    ["that is not valid yet", () => a1({ notBefore: inDays(1), notAfter: inDays(30) }), "file", /is not valid yet$/],
    ["with a key of 1024 bits", () => a1({ bits: 1024 }), "file", /has fewer than 2048 bits/],
    ["under another password", a1File, "password", /does not open the file/, "outra"],
    ["that is no PKCS#12 file", async () => Buffer.from("not a certificate"), "file", /not a complete PKCS#12 file/],
  ])("refuses a certificate %s, says why, and keeps nothing", async (_, file, field, message, password) => {
    const issuer = await added();
    const answer = await certify(issuer.id, await file(), password);
    expectError(answer, 422, "invalid_request", [field]);
    expect(answer.body.fields[0].message).toMatch(message);
    expect(await issuerOf(issuer.id)).toEqual({ ...issuer, certificate: null, ready: false });
    expect(await actionsOf(selo, issuer.id)).toEqual(["invoice_issuer.created"]);
  });

  test("takes a right one, and a refusal later leaves it", async () => {
    const { id } = await added();
    const taken = await certify(id, await a1File());
    expect(taken).toMatchObject({
      status: 200,
      body: { certificate: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(codesOf(taken.body)).toEqual(["route_closed"]);
    const members = "subject issuer serial sha256 notBefore notAfter";
    const shown = await graphql(
      selo,
      organization.live,
      `{ invoiceIssuer(id: "${id}") { certificate { ${members} } problems { code } } }`,
    );
    const { not_before: notBefore, not_after: notAfter, ...certificate } = taken.body.certificate;
    expect(answered(shown, "invoiceIssuer")).toEqual({
      certificate: { ...certificate, notBefore, notAfter },
      problems: [{ code: "route_closed" }],
    });
    expectError(await certify(id, await a1({ withoutCnpj: true })), 422, "invalid_request", ["file"]);
    expect(await issuerOf(id)).toEqual(taken.body);
    expect(await actionsOf(selo, id)).toEqual(["invoice_issuer.created", "invoice_issuer.certified"]);
  });

  test("reads a file of 64 KiB, and refuses one of a byte more with 413", async () => {
    const issuer = await added();
    const sized = (bytes: number) => certify(issuer.id, Buffer.alloc(bytes));
    const most = await sized(64 * 1024);
    expectError(most, 422, "invalid_request", ["file"]);
    expect(most.body.fields[0].message).toMatch(/not a complete PKCS#12 file/);
    expectError(await sized(64 * 1024 + 1), 413, "too_large");
    expect(await issuerOf(issuer.id)).toEqual(issuer);
  });
});

test("archived issuers are in the list of archived ones alone; the search looks at name and CNPJ", async () => {
  const { ask, addIssuer } = await anOrganization();
  await addIssuer({ name: "Kept %" });
  const { id } = await addIssuer({ name: "Gone", cnpj: "12ABC34501DE35" });
  await ask("POST", `/issuers/${id}/archive`);
  const found = async (query: string) =>
    (await ask("GET", `/issuers?${query}`)).body.items.map(({ name }: { name: string }) => name);
  expect(await found("")).toEqual(["Kept %"]);
  expect(await found("archived=true")).toEqual(["Gone"]);
  expect(await found("search=kept")).toEqual(["Kept %"]);
  expect(await found("search=%25")).toEqual(["Kept %"]);
  expect(await found("search=k_pt")).toEqual([]);
  expect(await found("search=abc345&archived=true")).toEqual(["Gone"]);
});

test("rights: reading by any role, changes by admins, or by tokens with invoices:manage", async () => {
  const { addIssuer } = invoicingCaller(selo, organization.live);
  const { id } = await addIssuer();
  const writer = invoicingCaller(selo, await organization.token("live", ["invoices:read", "invoices:write"]));
  expect((await writer.ask("GET", `/issuers/${id}`)).status).toBe(200);
  expectError(await writer.ask("POST", "/issuers", ISSUER), 403, "missing_scope");
  expectError(await writer.ask("PATCH", `/issuers/${id}`, {}), 403, "missing_scope");
  expectError(await writer.ask("POST", `/issuers/${id}/archive`), 403, "missing_scope");
  const by = async (role: string) => invoicingCaller(selo, (await signedIn(selo, organization, role)).headers);
  for (const role of ["accountant", "member"]) {
    const person = await by(role);
    expect((await person.ask("GET", `/issuers/${id}`)).status).toBe(200);
    expectError(await person.ask("PATCH", `/issuers/${id}`, { next_number: 2 }), 403, "forbidden");
  }
  expect((await (await by("admin")).ask("PATCH", `/issuers/${id}`, { next_number: 2 })).status).toBe(200);
});

test("GraphQL takes and answers the same", async () => {
  const { organization: own } = await anOrganization();
  const FIELDS =
    "id cnpj simples nextNumber isDefault certificate { sha256 } ready problems { code message } archivedAt";
  const run = (field: string, input: string) =>
    graphql(selo, own.live, `mutation { ${field}(input: {${input}}) { issuer { ${FIELDS} } } }`);
  const made = await run(
    "createInvoiceIssuer",
    `cnpj: "12345678000195", name: "Oficina", cityCode: "3550308", simples: 1, nextNumber: 421`,
  );
  expect(made.errors).toEqual([]);
  const { issuer } = answered<{ issuer: { id: string } }>(made, "createInvoiceIssuer");
  const { problems } = (await call(selo, "GET", `/issuers/${issuer.id}`, { token: own.live })).body;
  expect(issuer).toEqual({
    id: expect.stringMatching(UUID_V7),
    cnpj: "12345678000195",
    simples: 1,
    nextNumber: "421",
    isDefault: true,
    certificate: null,
    ready: false,
    problems,
    archivedAt: null,
  });
  const lower = await run("updateInvoiceIssuer", `id: "${issuer.id}", nextNumber: 400`);
  expect(lower.errors[0]?.extensions).toMatchObject({
    http: { status: 422 },
    fields: [{ field: "nextNumber" }],
  });
  const higher = await run("updateInvoiceIssuer", `id: "${issuer.id}", nextNumber: "430"`);
  expect(answered(higher, "updateInvoiceIssuer")).toEqual({ issuer: { ...issuer, nextNumber: "430" } });
  const listed = await graphql(selo, own.live, "{ invoiceIssuers { totalCount nodes { id } } }");
  expect(listed.data).toEqual({ invoiceIssuers: { totalCount: 1, nodes: [{ id: issuer.id }] } });
  expect((await run("archiveInvoiceIssuer", `id: "${issuer.id}"`)).errors).toEqual([]);
});

test("selo audit verify finds nothing after all this, and finds a series that was edited by hand", async () => {
  expect((await verifyAll(selo.operator)).faults).toEqual([]);
  const { id } = await invoicingCaller(selo, organization.live).addIssuer();
  await selo.database.admin.query("update invoicing.issuers set series = '9' where id = $1", [id]);
  expect((await verifyAll(selo.operator)).faults).toMatchObject([{ check_name: "records", subject_id: id }]);
});

// The last test: it writes certificates by hand, which a verification finds.
test("problems say what keeps an issuer from issuing, and ready that nothing does", async () => {
  const { ask, addIssuer } = await anOrganization();
  const { id } = await addIssuer({ cnpj: "12ABC34501DE35" });
  const certify = (certificate: object) =>
    selo.database.admin.query(
      "update invoicing.issuers set certificate = $2, certificate_chain = '{pem}', sealed_key = '\\x00' where id = $1",
      [id, certificate],
    );
  const issuer = async () => (await ask("GET", `/issuers/${id}`)).body;
  expect(codesOf(await issuer())).toEqual(["route_closed", "certificate_missing", "cnpj_with_letters"]);
  const certificate = {
    subject: "CN=Oficina",
    issuer: "CN=AC",
    serial: "01",
    sha256: "0".repeat(64),
    not_before: "2020-01-01T00:00:00Z",
    not_after: "2021-01-01T00:00:00Z",
  };
  await certify({ ...certificate, cnpj: "12345678000195" });
  expect(await issuer()).toMatchObject({ certificate, ready: false });
  expect(codesOf(await issuer())).toEqual([
    "route_closed",
    "certificate_expired",
    "certificate_of_another",
    "cnpj_with_letters",
  ]);
  await ask("PATCH", `/issuers/${id}`, { cnpj: "12345678000195" });
  await certify({
    ...certificate,
    cnpj: "12345678000195",
    not_before: "2098-01-01T00:00:00Z",
    not_after: "2099-01-01T00:00:00Z",
  });
  expect(codesOf(await issuer())).toEqual(["route_closed", "certificate_not_yet_valid"]);
  await certify({ ...certificate, cnpj: "12345678000195", not_after: "2099-01-01T00:00:00Z" });
  expect(codesOf(await issuer())).toEqual(["route_closed"]);
  expect((await issuer()).certificate).not.toHaveProperty("cnpj");
});
