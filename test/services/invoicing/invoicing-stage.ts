// Customers, services and issuers, as tests of this service and of all services make them.
import { expect } from "vitest";
import type { TestGateway } from "../../support/gateway.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";

export const CUSTOMER = { name: "Padaria Aurora Ltda", document_type: "cnpj", document: "11222333000181" } as const;

export const ADDRESS = {
  street: "Rua das Flores",
  number: "120",
  complement: "Sala 4",
  district: "Centro",
  city_code: "3550308",
  postal_code: "01001000",
} as const;

export const SERVICE = {
  name: "Consultoria",
  description: "Consultoria em tecnologia da informação",
  national_code: "010601",
  iss_rate: "5.00",
} as const;

export const ISSUER = {
  cnpj: "12345678000195",
  name: "Oficina de Software Ltda",
  city_code: "3550308",
  simples: 1,
} as const;

/** An amount beside what is invoiced to whom. */
export const AMOUNT = "1500.00";

/** Who asks: by a token, or by the headers of a session. */
export type Caller = string | Readonly<Record<string, string>>;

/** What one caller asks of the service. */
export function invoicingCaller(selo: Pick<TestGateway, "baseUrl">, caller: Caller) {
  const ask = (method: string, path: string, body?: object): Promise<RestResponse> =>
    call(selo, method, path, {
      ...(typeof caller === "string" ? { token: caller } : { headers: caller }),
      ...(body ? { body } : {}),
    });
  const add = async (path: string, body: object) => {
    const answer = await ask("POST", path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  /** A customer, a service and an issuer, and the members of an invoice of them. */
  const addCatalog = async (
    more: { readonly customer?: object; readonly service?: object; readonly issuer?: object } = {},
  ) => {
    const customer = await add("/customers", { ...CUSTOMER, ...more.customer });
    const service = await add("/services", { ...SERVICE, ...more.service });
    const issuer = await add("/issuers", { ...ISSUER, ...more.issuer });
    const invoice = { customer_id: customer.id, service_id: service.id, amount_services: AMOUNT };
    return { customer, service, issuer, invoice };
  };
  return {
    ask,
    addCatalog,
    addDraft: (members: object) => add("/invoices", { ...members, emit: false }),
    addCustomer: (more: object = {}) => add("/customers", { ...CUSTOMER, ...more }),
    addService: (more: object = {}) => add("/services", { ...SERVICE, ...more }),
    addIssuer: (more: object = {}) => add("/issuers", { ...ISSUER, ...more }),
  };
}

/** What no process of this release does: says that a route to the tax authority is open, and gives an issuer a certificate. */
export async function makeReady(
  { database, operator }: Pick<TestGateway, "database" | "operator">,
  issuerId: string,
  certificate: object = {},
): Promise<void> {
  for (const name of ["nfse_url_live", "nfse_url_test"]) await operator.changeSetting(name, "simulator");
  const client = await database.admin.connect();
  await client.query("begin");
  await client.query(
    "select platform.enter_context(issuer.tenant_id, issuer.environment, null, null, null) from invoicing.issuers as issuer where issuer.id = $1",
    [issuerId],
  );
  await client.query("select set_config('app.mac', encode(platform.context_mac(), 'hex'), true)");
  await client.query(
    `update invoicing.issuers as issuer set certificate_chain = '{chain}', sealed_key = '\\x00',
       certificate = jsonb_build_object('cnpj', issuer.cnpj, 'not_before', '2020-01-01T00:00:00Z', 'not_after', '2100-01-01T00:00:00Z') || $2
     where issuer.id = $1`,
    [issuerId, certificate],
  );
  await client.query(
    `select platform.record_audit_event('invoice_issuer.certified', 'invoice_issuer', issuer.id,
       jsonb_build_object('record_sha256', invoicing.issuer_record(issuer))) from invoicing.issuers as issuer where issuer.id = $1`,
    [issuerId],
  );
  await client.query("commit");
  client.release();
}

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** A text of so many characters of Latin-1. */
export const long = (length: number): string => "é".repeat(length);

/** The actions that the trail holds of a subject, the oldest first. */
export async function actionsOf({ database }: Pick<TestGateway, "database">, id: string): Promise<readonly string[]> {
  const { rows } = await database.admin.query<{ action: string }>(
    "select action from platform.audit_events where subject_id = $1 order by seq",
    [id],
  );
  return rows.map(({ action }) => action);
}

/** Gives each value to one member, and expects that it is taken, or refused by the name of the member. */
export async function tryValues(
  ask: (body: object) => Promise<RestResponse>,
  member: string,
  { taken = [], refused = [] }: { readonly taken?: readonly unknown[]; readonly refused?: readonly unknown[] },
): Promise<void> {
  const bodyOf = (value: unknown) =>
    member.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
  for (const value of taken) {
    const { status, body } = await ask(bodyOf(value));
    expect({ member, value, status, fields: body.fields }).toMatchObject({ member, value, status: 200 });
  }
  for (const value of refused) {
    const answer = await ask(bodyOf(value));
    expect({ member, value, status: answer.status, fields: answer.body.fields?.map(fieldOf) }).toEqual({
      member,
      value,
      status: 422,
      fields: [member],
    });
    expectError(answer, 422, "invalid_request", [member]);
  }
}

const fieldOf = ({ field }: { readonly field: string }) => field;
