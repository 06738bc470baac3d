// Requests that are refused for what the rows are: no form of a request says so.
import type { TestGateway, TestOrganization } from "../../support/gateway.ts";
import type { AskOperation } from "../../support/service-facts.ts";
import { AMOUNT, CUSTOMER, ISSUER, invoicingCaller, makeReady, SERVICE } from "./invoicing-stage.ts";

/** Asks for each refusal of invoices once, of each operation. */
export async function refuseInvoices(selo: TestGateway, { live }: TestOrganization, ask: AskOperation): Promise<void> {
  const { ask: askAlone, addDraft } = invoicingCaller(selo, live);
  const add = async (path: string, body: object): Promise<string> => (await askAlone("POST", path, body)).body.id;
  const customer_id = await add("/customers", CUSTOMER);
  const invoice = { customer_id, service_id: await add("/services", SERVICE), amount_services: AMOUNT };
  const preview = (body: object) => ask("previewInvoice", "/invoices/preview", body);
  const create = (body: object) => ask("createInvoice", "/invoices", body);
  await preview(invoice);
  await create(invoice);
  const issuer = await add("/issuers", { ...ISSUER, municipal_code_required: true });
  const { id } = await addDraft(invoice);
  const update = (body: object) => ask("updateInvoice", `/invoices/${id}`, body);
  const emit = () => ask("emitInvoice", `/invoices/${id}/emit`);
  const future = { competence_date: "2999-12-31" };
  for (const refused of [{ customer_id: "nobody" }, future]) {
    await preview({ ...invoice, ...refused });
    await create({ ...invoice, ...refused, emit: false });
    await update(refused);
  }
  for (const municipal_code_required of [true, false]) {
    await askAlone("PATCH", `/issuers/${issuer}`, { municipal_code_required });
    await create(invoice);
    await emit();
  }
  await makeReady(selo, issuer);
  const { admin } = selo.database;
  await admin.query("update invoicing.invoices set competence_date = '2999-12-31' where id = $1", [id]);
  await emit();
  await admin.query("update invoicing.invoices set competence_date = '2026-01-01' where id = $1", [id]);
  await askAlone("POST", `/customers/${customer_id}/archive`);
  await emit();
  await update({ customer_id: await add("/customers", CUSTOMER) });
  await emit();
  await emit();
  await update({ amount_services: "1" });
  await ask("deleteInvoice", `/invoices/${id}`);
  const other = await addDraft({ ...invoice, customer_id: await add("/customers", CUSTOMER) });
  for (const reason of ["short", "O serviço não foi prestado."])
    await ask("cancelInvoice", `/invoices/${other.id}/cancel`, { reason_code: "2", reason });
  for (const known of [other.id, "0197a0c0-0000-7000-8000-000000000001"])
    await ask("linkInvoiceFile", `/invoices/${known}/files/pdf`);
  await ask("downloadDanfse", `/invoices/${other.id}/files/pdf/raw`);
  await ask("downloadNfse", `/invoices/${other.id}/files/xml/raw`);
  await ask("downloadDps", `/invoices/${other.id}/files/dps/raw`);
  await askAlone("POST", `/issuers/${issuer}/archive`);
  await ask("updateInvoice", `/invoices/${other.id}`, { issuer_id: null });
}
