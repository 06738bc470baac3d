create or replace function invoicing.dps_facts(p_invoice invoicing.invoices) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'environment', p_invoice.environment, 'issued_at', invoicing.issued_at(now(), organization.time_zone),
    'series', p_invoice.series, 'number', p_invoice.number::text, 'competence_date', p_invoice.competence_date,
    'issuer', jsonb_build_object('cnpj', issuer.cnpj, 'municipal_registration', issuer.municipal_registration, 'city_code', issuer.city_code,
      'simples', issuer.simples, 'simples_regime', issuer.simples_regime, 'special_regime', issuer.special_regime),
    -- Abroad, the code of the city is its name.
    'customer', case when p_invoice.customer ->> 'country' <> 'BR' and p_invoice.customer -> 'address' <> 'null'
      then jsonb_set(p_invoice.customer, '{address}', (p_invoice.customer -> 'address')
        || jsonb_build_object('city_code', null, 'city_name', p_invoice.customer #> '{address,city_code}'))
      else p_invoice.customer end,
    'service', jsonb_build_object('national_code', p_invoice.service -> 'national_code', 'municipal_code', p_invoice.service -> 'municipal_code',
      'nbs_code', p_invoice.service -> 'nbs_code', 'description', p_invoice.description),
    'iss', jsonb_build_object('taxation', p_invoice.service -> 'iss_taxation', 'rate', case when p_invoice.service ->> 'iss_taxation' = '1' and issuer.simples <> 2 then p_invoice.iss_rate::text else '0.00' end, 'withheld', p_invoice.iss_withheld),
    'amounts', jsonb_build_object('services', p_invoice.amount_services::text, 'discount_unconditional', p_invoice.discount_unconditional::text,
      'discount_conditional', p_invoice.discount_conditional::text, 'deductions', p_invoice.deductions::text, 'pis', p_invoice.pis_amount::text,
      'cofins', p_invoice.cofins_amount::text, 'inss', p_invoice.inss_amount::text, 'ir', p_invoice.ir_amount::text, 'csll', p_invoice.csll_amount::text,
      'other', p_invoice.other_withholdings::text),
    'pis_cofins_cst', p_invoice.service -> 'pis_cofins_cst', 'approximate_taxes', p_invoice.service -> 'approximate_taxes',
    'ibs_cbs', p_invoice.service -> 'ibs_cbs')
  from invoicing.issuers as issuer join platform.organizations as organization on organization.id = issuer.tenant_id
  where issuer.tenant_id = p_invoice.tenant_id and issuer.id = p_invoice.issuer_id
$$;
comment on function invoicing.dps_facts(invoicing.invoices) is 'What the DPS of an invoice says, in the form that the layout takes (DpsFacts).';
revoke execute on function invoicing.dps_facts(invoicing.invoices) from public;
