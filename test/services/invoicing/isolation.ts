import { gzipSync } from "node:zlib";
import { nfseSample } from "../../adapters/pdf/nfse-sample.ts";
import { type Asker, answered, graphql, post } from "../../support/graphql-client.ts";
import type { Asked, RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { a1File, certificateForm, PASSWORD } from "./certificate-file.ts";
import { AMOUNT, CUSTOMER, ISSUER, invoicingCaller, makeReady, SERVICE } from "./invoicing-stage.ts";

/** What the owner has of each kind, by the path of the kind. */
const owned: Record<string, string> = {};
const ownedOf = (path: string): string => owned[path] ?? "";

/** Others have a catalog of their own: of nothing, nobody makes an invoice. */
async function addOthers({ selo, owner, stranger }: Stage): Promise<void> {
  for (const token of [owner.test, stranger.live, stranger.test]) await invoicingCaller(selo, token).addCatalog();
}

/** What stands in a question of GraphQL about an invoice: the asker's own catalog; the owner's for who may not read. */
async function membersFor({ selo }: Stage, asker: Asker): Promise<string> {
  const { data } = await graphql(
    selo,
    asker,
    "{ customers: invoiceCustomers(first: 1) { nodes { id } } services: invoiceServices(first: 1) { nodes { id } } }",
  );
  const own = (kind: string) =>
    answered<{ nodes: { id: string }[] } | null>({ data } as never, kind)?.nodes[0]?.id ?? ownedOf(`/${kind}`);
  return `customerId: "${own("customers")}", serviceId: "${own("services")}", amountServices: "${AMOUNT}"`;
}

async function addAll({ selo, owner, marker }: Stage): Promise<void> {
  const { addCustomer, addDraft, addIssuer, addService } = invoicingCaller(selo, owner.live);
  for (const table of ["transmissions", "invoices", "customers", "services", "issuers"])
    await selo.database.admin.query(`delete from invoicing.${table} where tenant_id = $1 and environment = 'live'`, [
      owner.id,
    ]);
  owned["/customers"] = (await addCustomer({ name: marker })).id;
  owned["/services"] = (await addService({ name: marker })).id;
  owned["/issuers"] = (await addIssuer({ name: marker })).id;
  await makeReady(selo, ownedOf("/issuers"));
  owned["/invoices"] = (await addDraft({ ...members(), description: marker })).id;
  owned["authorized"] = (await addDraft({ ...members(), description: marker })).id;
  await authorize(selo, ownedOf("authorized"), marker);
}

/** What a worker writes when the tax authority has issued the NFS-e, here of one word. */
async function authorize(
  { database }: Stage["selo"],
  id: string,
  word: string,
  xml = `<NFSe>${word}</NFSe>`,
): Promise<void> {
  await database.admin.query(
    "update invoicing.invoices set status = 'authorized', access_key = repeat('1', 50) where id = $1",
    [id],
  );
  await database.admin.query(
    `insert into invoicing.transmissions (tenant_id, invoice_id, kind, environment, issuer_id, request_id, request, request_sha256, document, document_sha256)
     select tenant_id, id, 'issue', environment, issuer_id, 'DPS', $2, sha256($2), $2, sha256($2) from invoicing.invoices where id = $1`,
    [id, gzipSync(xml)],
  );
}

/** An authorized invoice of the owner's, beside those that there are. */
const anAuthorized =
  (more: string, shows: (id: string, marker: string) => readonly string[], body?: object) =>
  async (stage: Stage): Promise<Asked> => {
    const { id } = await invoicingCaller(stage.selo, stage.owner.live).addDraft(await anInvoice(stage));
    await authorize(stage.selo, id, stage.marker);
    return { path: `/invoices/${id}${more}`, ...(body ? { body } : {}), shows: shows(id, stage.marker) };
  };

const CANCEL = { reason_code: "2", reason: "O serviço não foi prestado." };

const members = () => ({
  customer_id: ownedOf("/customers"),
  service_id: ownedOf("/services"),
  amount_services: AMOUNT,
});

/** What the owner invoices, beside what there is. */
async function anInvoice({ selo, owner, marker }: Stage): Promise<object> {
  const { invoice, issuer } = await invoicingCaller(selo, owner.live).addCatalog({ customer: { name: marker } });
  await makeReady(selo, issuer.id);
  return { ...invoice, issuer_id: issuer.id };
}

/** A question that names what is invoiced to whom. */
const invoiced =
  (path: string, more: object, shows: readonly string[]) =>
  async (stage: Stage): Promise<Asked> => ({ path, body: { ...(await anInvoice(stage)), ...more }, shows });

/** One more of the owner's. */
const ofOne =
  (path: string, more = "", body?: object) =>
  async ({ selo, owner, marker }: Stage): Promise<Asked> => {
    const { addCustomer, addIssuer, addService } = invoicingCaller(selo, owner.live);
    const add = { "/customers": addCustomer, "/services": addService, "/issuers": addIssuer }[path];
    const id: string = (await add?.({ name: marker }))?.id;
    return { path: `${path}/${id}${more}`, ...(body ? { body } : {}), shows: [marker, id] };
  };

/** A draft of the owner's, beside those that there are. */
const aDraft =
  (more = "", body?: object) =>
  async (stage: Stage): Promise<Asked> => {
    const { id } = await invoicingCaller(stage.selo, stage.owner.live).addDraft(await anInvoice(stage));
    return { path: `/invoices/${id}${more}`, ...(body ? { body } : {}), shows: [stage.marker, id] };
  };

/** The routes of one kind. */
const routes = (path: string, made: object & { readonly name: string }, change: object): ServiceIsolation["rest"] => ({
  [`POST ${path}`]: () => ({ path, body: made, shows: [made.name] }),
  [`GET ${path}`]: async (stage) => ({ ...(await ofOne(path)(stage)), path }),
  [`GET ${path}/{id}`]: ofOne(path),
  [`PATCH ${path}/{id}`]: ofOne(path, "", change),
  [`POST ${path}/{id}/archive`]: ofOne(path, "/archive"),
});

/** The root fields of one kind. */
function fields(
  kind: "Customer" | "Service" | "Issuer",
  made: string,
  change: string,
  writes: string,
): ServiceIsolation["graphql"] {
  const row = kind.toLowerCase();
  const path = `/${row}s`;
  const field = (scope: string, document: () => string, more: Partial<RootField> = {}): RootField => ({
    scope,
    ask: ({ selo }, asker) => graphql(selo, asker, document()),
    shows: ({ marker }) => [marker],
    ...more,
  });
  const shown = `${row} { id name }`;
  return {
    [`invoice${kind}`]: field("invoices:read", () => `{ invoice${kind}(id: "${ownedOf(path)}") { id name } }`),
    [`invoice${kind}s`]: field(
      "invoices:read",
      () => `{ invoice${kind}s(first: 200) { nodes { id name } edges { cursor } } }`,
    ),
    [`createInvoice${kind}`]: field(writes, () => `mutation { createInvoice${kind}(input: {${made}}) { ${shown} } }`, {
      shows: () => ["Made by a field"],
    }),
    [`updateInvoice${kind}`]: field(
      writes,
      () => `mutation { updateInvoice${kind}(input: {id: "${ownedOf(path)}", ${change}}) { ${shown} } }`,
      { isOfOne: true },
    ),
    [`archiveInvoice${kind}`]: field(
      writes,
      () => `mutation { archiveInvoice${kind}(input: {id: "${ownedOf(path)}"}) { ${shown} } }`,
      { isOfOne: true },
    ),
  };
}

const ofOneInvoice = { isOfOne: true } as const;

/** A root field that shows the owner's invoice. */
const invoiceField = (document: () => string, scope: string, more: Partial<RootField> = {}): RootField => ({
  scope,
  ask: ({ selo }, asker) => graphql(selo, asker, document()),
  shows: ({ marker }) => [marker],
  ...more,
});

export const isolation: ServiceIsolation = {
  async prepare(stage) {
    await addOthers(stage);
    await addAll(stage);
    return Object.values(owned);
  },
  rest: {
    ...routes("/customers", CUSTOMER, { phone: "1130001000" }),
    ...routes("/services", SERVICE, { iss_rate: "2.90" }),
    ...routes("/issuers", ISSUER, { next_number: 7 }),
    "POST /invoices": invoiced("/invoices", { description: "Made by a route" }, ["Made by a route"]),
    "POST /invoices/preview": invoiced("/invoices/preview", {}, ["net_amount"]),
    "GET /invoices": async (stage) => ({ ...(await aDraft()(stage)), path: "/invoices" }),
    "GET /invoices/{id}": aDraft(),
    "PATCH /invoices/{id}": aDraft("", { amount_services: "1800.00" }),
    "POST /invoices/{id}/emit": aDraft("/emit"),
    "POST /invoices/{id}/cancel": anAuthorized("/cancel", (id, marker) => [id, marker], CANCEL),
    "GET /invoices/{id}/files/pdf/raw": async (stage) => {
      const { id } = await invoicingCaller(stage.selo, stage.owner.live).addDraft(await anInvoice(stage));
      await authorize(stage.selo, id, stage.marker, nfseSample({ description: stage.marker }));
      return { path: `/invoices/${id}/files/pdf/raw`, shows: [stage.marker] };
    },
    "GET /invoices/{id}/files/xml/raw": anAuthorized("/files/xml/raw", (_, marker) => [marker]),
    "GET /invoices/{id}/files/dps/raw": anAuthorized("/files/dps/raw", (_, marker) => [marker]),
    "GET /invoices/{id}/files/{kind}": anAuthorized("/files/xml", () => ["/api/v1/invoice-files/xml/"]),
    "POST /issuers/{id}/certificate": async (stage) => ({
      ...(await ofOne("/issuers", "/certificate")(stage)),
      form: await certificateForm(),
    }),
    "DELETE /invoices/{id}": async (stage) => ({ ...(await aDraft()(stage)), shows: [] }),
  },
  renew: addAll,
  secretsNow: () => Object.values(owned),
  graphql: {
    ...fields(
      "Customer",
      'name: "Made by a field", documentType: CNPJ, document: "11222333000181"',
      'phone: "1130001000"',
      "invoices:write",
    ),
    ...fields(
      "Service",
      'name: "Made by a field", description: "Work", nationalCode: "010601", issRate: "5.00"',
      'issRate: "2.90"',
      "invoices:write",
    ),
    ...fields(
      "Issuer",
      'name: "Made by a field", cnpj: "12345678000195", cityCode: "3550308", simples: 1',
      'nextNumber: "7"',
      "invoices:manage",
    ),
    invoice: invoiceField(() => `{ invoice(id: "${ownedOf("/invoices")}") { id description } }`, "invoices:read"),
    invoices: invoiceField(() => "{ invoices(first: 200) { nodes { id description } } }", "invoices:read"),
    invoicePreview: {
      scope: "invoices:read",
      ask: async (stage, asker) =>
        graphql(stage.selo, asker, `{ invoicePreview(${await membersFor(stage, asker)}) { netAmount } }`),
      shows: () => ["netAmount"],
    },
    invoiceFileLink: invoiceField(
      () => `{ invoiceFileLink(id: "${ownedOf("authorized")}", kind: "xml") { url expiresAt } }`,
      "invoices:read",
      { ...ofOneInvoice, shows: () => ["/api/v1/invoice-files/xml/"] },
    ),
    createInvoice: {
      scope: "invoices:write",
      ask: async (stage, asker) =>
        graphql(
          stage.selo,
          asker,
          `mutation { createInvoice(input: {${await membersFor(stage, asker)}, description: "Made by a field", emit: false}) { invoice { id description } } }`,
        ),
      shows: () => ["Made by a field"],
    },
    updateInvoice: invoiceField(
      () =>
        `mutation { updateInvoice(input: {id: "${ownedOf("/invoices")}", amountServices: "1800.00"}) { invoice { id description } } }`,
      "invoices:write",
      ofOneInvoice,
    ),
    emitInvoice: invoiceField(
      () => `mutation { emitInvoice(input: {id: "${ownedOf("/invoices")}"}) { invoice { id description } } }`,
      "invoices:write",
      ofOneInvoice,
    ),
    cancelInvoice: invoiceField(
      () =>
        `mutation { cancelInvoice(input: {id: "${ownedOf("authorized")}", reasonCode: "2", reason: "${CANCEL.reason}"}) { invoice { id description } } }`,
      "invoices:cancel",
      ofOneInvoice,
    ),
    putIssuerCertificate: {
      scope: "invoices:manage",
      ask: async ({ selo }, asker) => {
        const query =
          "mutation ($input: PutIssuerCertificateInput!) { putIssuerCertificate(input: $input) { issuer { id name } } }";
        const parts = new FormData();
        const input = { id: ownedOf("/issuers"), password: PASSWORD, file: null };
        parts.set("operations", JSON.stringify({ query, variables: { input } }));
        parts.set("map", JSON.stringify({ 0: ["variables.input.file"] }));
        parts.set("0", new Blob([new Uint8Array(await a1File())]), "a1.pfx");
        return post(selo, asker, parts);
      },
      shows: ({ marker }) => [marker],
      isOfOne: true,
    },
    deleteInvoice: invoiceField(
      () => `mutation { deleteInvoice(input: {id: "${ownedOf("/invoices")}"}) { done } }`,
      "invoices:write",
      { ...ofOneInvoice, shows: () => ['"done":true'] },
    ),
  },
};
