// Rows of the service, for tests that look at every table or view of all services.
import type pg from "pg";
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import { invoicingCaller } from "./invoicing-stage.ts";

/** A row in every table of the service, written by requests of an organization. */
export async function writeOne(
  selo: Pick<TestGateway, "baseUrl" | "database">,
  { live }: Pick<TestOrganization, "live">,
): Promise<void> {
  const { addCatalog, addDraft } = invoicingCaller(selo, live);
  const { invoice } = await addCatalog();
  const { id } = await addDraft(invoice);
  // What a worker writes.
  await selo.database.admin.query(
    `insert into invoicing.transmissions (tenant_id, invoice_id, kind, environment, issuer_id)
     select tenant_id, id, 'issue', environment, issuer_id from invoicing.invoices where id = $1`,
    [id],
  );
}

/** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
export async function writeMany(admin: pg.Pool, tenantId: string, count: number, text: "own" | "other"): Promise<void> {
  const rows = "generate_series(1, $2::integer) as number";
  const isOther = text === "other";
  const digits = isOther ? "2" : "1";
  await admin.query(
    `insert into invoicing.customers (tenant_id, environment, name, document_type, document, country, email, phone, municipal_registration, address, archived_at)
     select $1, 'live', $3::text, $4, $3, $5, $3, repeat($6, 6), $3, json_build_object('street', $3::text), now() from ${rows}`,
    [tenantId, count, text, ...(isOther ? ["nif", "PT"] : ["cpf", "BR"]), digits],
  );
  await admin.query(
    `insert into invoicing.services (tenant_id, environment, name, description, national_code, municipal_code, nbs_code, iss_rate, iss_withheld, iss_taxation,
       pis_cofins_cst, approximate_taxes, ibs_cbs, archived_at)
     select $1, 'live', $3::text, $3, repeat($4, 6), repeat($4, 3), repeat($4, 9), $4::numeric, $5, $4::integer,
       repeat($4, 2), json_build_object('simples', $3::text), json_build_object('cst', $3::text), now()
     from ${rows}`,
    [tenantId, count, text, digits, isOther],
  );
  await admin.query(
    `insert into invoicing.issuers (tenant_id, environment, cnpj, name, municipal_registration, city_code, simples, simples_regime, special_regime, series,
       next_number, municipal_code_required, is_default, certificate, certificate_chain, sealed_key, archived_at)
     select $1, 'live', repeat($4, 14), $3::text, $3, repeat($4, 7), $4::integer, $4::integer, $4::integer, $4, $4::bigint, $5, false,
       json_build_object('subject', $3::text, 'cnpj', repeat('1', 14), 'not_before', '2026-01-01T00:00:00Z', 'not_after', '2036-01-01T00:00:00Z'),
       array[$3::text], '\\x00', now()
     from ${rows}`,
    [tenantId, count, text, digits, isOther],
  );
  const oneOf = (table: string) => `(select id from invoicing.${table} where tenant_id = $1 order by id limit 1)`;
  await admin.query(
    `insert into invoicing.invoices (tenant_id, environment, customer_id, service_id, issuer_id, customer, service, amount_services, iss_rate, iss_withheld,
       deductions, discount_unconditional, discount_conditional, pis_amount, cofins_amount, inss_amount, ir_amount, csll_amount, other_withholdings,
       description, competence_date, external_ref, status, series, number, nfse_number, access_key, last_error_code, last_error_message, next_attempt_at,
       cancel_reason_code, cancel_reason, queued_at, authorized_at, canceled_at)
     select $1, 'live', ${oneOf("customers")}, ${oneOf("services")}, ${oneOf("issuers")}, jsonb_build_object('name', $3::text, 'document', $3::text),
       jsonb_build_object('name', $3::text, 'national_code', $3::text, 'iss_taxation', 1), 1000 * $4::text::numeric, $4::text::numeric, $5,
       $4::text::numeric, $4::text::numeric, $4::text::numeric, $4::text::numeric, $4::text::numeric, $4::text::numeric, $4::text::numeric, $4::text::numeric, $4::text::numeric,
       $3, now(), $3, $6, $4, $4::text::bigint * 1000000 + number, $4, repeat($4, 50), $3, $3, now(), $4, repeat($3, 15), now(), now(), now()
     from ${rows}`,
    [tenantId, count, text, digits, isOther, isOther ? "queued" : "draft"],
  );
}
