import { graphql } from "../../support/graphql-client.ts";
import type { Asked, RootField, ServiceIsolation, Stage } from "../../support/isolation/isolation.ts";
import { CUSTOMER, ISSUER, invoicingCaller, SERVICE } from "./invoicing-stage.ts";

/** What the owner has of each kind, by the path of the kind. */
const owned: Record<string, string> = {};
const ownedOf = (path: string): string => owned[path] ?? "";

async function addAll({ selo, owner, marker }: Stage): Promise<void> {
  const { addCustomer, addIssuer, addService } = invoicingCaller(selo, owner.live);
  for (const table of ["customers", "services", "issuers"])
    await selo.database.admin.query(`delete from invoicing.${table} where tenant_id = $1`, [owner.id]);
  owned["/customers"] = (await addCustomer({ name: marker })).id;
  owned["/services"] = (await addService({ name: marker })).id;
  owned["/issuers"] = (await addIssuer({ name: marker })).id;
}

/** One of the owner's, made anew: an archived one is not in lists. */
const ofOne =
  (path: string, more = "", body?: object) =>
  async (stage: Stage): Promise<Asked> => {
    await addAll(stage);
    return {
      path: `${path}/${ownedOf(path)}${more}`,
      ...(body ? { body } : {}),
      shows: [stage.marker, ownedOf(path)],
    };
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

export const isolation: ServiceIsolation = {
  async prepare(stage) {
    await addAll(stage);
    return Object.values(owned);
  },
  rest: {
    ...routes("/customers", CUSTOMER, { phone: "1130001000" }),
    ...routes("/services", SERVICE, { iss_rate: "2.90" }),
    ...routes("/issuers", ISSUER, { next_number: 7 }),
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
  },
};
