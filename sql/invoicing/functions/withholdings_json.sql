-- Inlined, as invoicing.amounts_of is.
create or replace function invoicing.withholdings_json(p_invoice invoicing.invoices, p_iss numeric, p_total numeric) returns json
  language sql stable
  return json_build_object('iss', p_iss::text, 'pis', p_invoice.pis_amount::text, 'cofins', p_invoice.cofins_amount::text, 'inss', p_invoice.inss_amount::text,
    'ir', p_invoice.ir_amount::text, 'csll', p_invoice.csll_amount::text, 'other', p_invoice.other_withholdings::text, 'total', p_total::text);
comment on function invoicing.withholdings_json(invoicing.invoices, numeric, numeric) is 'What the customer withholds: {iss, pis, cofins, inss, ir, csll, other, total}, texts with two decimals. ISS and the total are those of invoicing.amounts_of.';
revoke execute on function invoicing.withholdings_json(invoicing.invoices, numeric, numeric) from public;
-- The view api.invoices calls it as whoever reads the view.
grant execute on function invoicing.withholdings_json(invoicing.invoices, numeric, numeric) to selo_app, selo_analyst;
