create or replace function invoicing.withholdings_json(p_invoice invoicing.invoices) returns json
  language sql stable security definer set search_path = '' as $$
  select json_build_object('iss', amounts.iss_withheld_amount::text, 'pis', p_invoice.pis_amount::text, 'cofins', p_invoice.cofins_amount::text,
    'inss', p_invoice.inss_amount::text, 'ir', p_invoice.ir_amount::text, 'csll', p_invoice.csll_amount::text,
    'other', p_invoice.other_withholdings::text, 'total', amounts.withheld_total::text)
  from invoicing.amounts_of(p_invoice) as amounts
$$;
comment on function invoicing.withholdings_json(invoicing.invoices) is 'What the customer withholds: {iss, pis, cofins, inss, ir, csll, other, total}, texts with two decimals.';
revoke execute on function invoicing.withholdings_json(invoicing.invoices) from public;
-- The view api.invoices calls it as whoever reads the view.
grant execute on function invoicing.withholdings_json(invoicing.invoices) to selo_app, selo_analyst;
