create or replace function invoicing.amounts_json(p_invoice invoicing.invoices) returns json
  language sql stable set search_path = '' as $$
  select json_build_object('iss_base', amounts.iss_base::text, 'iss_amount', amounts.iss_amount::text,
    'withholdings', invoicing.withholdings_json(p_invoice, amounts.iss_withheld_amount, amounts.withheld_total), 'net_amount', amounts.net_amount::text,
    'problems', (
      select coalesce(json_agg(json_build_object('code', problem.code, 'field', problem.field, 'severity', problem.severity, 'message', problem.message)
        order by problem.place), '[]')
      from invoicing.problems_of(p_invoice) as problem))
  from invoicing.amounts_of(p_invoice) as amounts
$$;
comment on function invoicing.amounts_json(invoicing.invoices) is 'The preview of an invoice: {iss_base, iss_amount, withholdings, net_amount, problems: [{code, field, severity, message}]}.';
revoke execute on function invoicing.amounts_json(invoicing.invoices) from public;
