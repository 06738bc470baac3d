create or replace function invoicing.problems_of(p_invoice invoicing.invoices)
  returns table (place integer, code text, field text, severity text, message text)
  language sql stable set search_path = '' as $$
  select row_number() over (order by problem.place)::integer, problem.code, problem.field, problem.severity, problem.message
  from invoicing.issuers as issuer
  cross join invoicing.amounts_of(p_invoice) as amounts
  -- A MEI pays a fixed amount, and what is not taxed has no rate.
  cross join lateral (select p_invoice.service ->> 'iss_taxation' = '1' and issuer.simples <> 2 as is_rated) as taxed
  cross join lateral (
    select given.place, given.code, given.field, given.severity, given.message
    from (values
      (1, 'rate_over_5', 'iss_rate', 'error', 'The rate of ISS is over 5 % (E0595).', taxed.is_rated and p_invoice.iss_rate > 5),
      (2, 'rate_under_2', 'iss_rate', 'error', 'The rate of ISS is under 2 % (E1297).', taxed.is_rated and p_invoice.iss_rate < 2),
      (3, 'effective_rate_under_2', 'deductions', 'warning', 'With its deductions the service pays less than 2 % of ISS.',
        taxed.is_rated and p_invoice.iss_rate >= 2 and p_invoice.deductions > 0
          and amounts.iss_amount * 100 < 2 * (p_invoice.amount_services - p_invoice.discount_unconditional)),
      (4, 'discounts_over_services', 'deductions', 'error', 'Discounts and deductions are more than the services (E0427).',
        p_invoice.discount_unconditional + p_invoice.discount_conditional + p_invoice.deductions > p_invoice.amount_services),
      (5, 'negative_net', 'amount_services', 'error', 'Discounts and withholdings are more than the services (E1508).', amounts.net_amount < 0),
      (6, 'document_required', 'customer_id', 'error', 'A customer that withholds ISS needs a document (E0204).',
        p_invoice.iss_withheld and p_invoice.customer ->> 'document_type' = 'none'),
      (7, 'deductions_of_mei', 'deductions', 'error', 'A MEI has no deductions (E0436).', issuer.simples = 2 and p_invoice.deductions > 0),
      (8, 'municipal_code_required', 'service_id', 'error', 'The municipality of the issuer requires its own code of the service, and the service has none.',
        issuer.municipal_code_required and p_invoice.service ->> 'municipal_code' is null),
      (19, 'cnpj_with_letters', 'customer_id', 'error', 'Layout 1.01 of the NFS-e takes no letters in a CNPJ.',
        p_invoice.customer ->> 'document_type' = 'cnpj' and p_invoice.customer ->> 'document' !~ '^[0-9]+$'),
      (20, 'customer_is_issuer', 'customer_id', 'error', 'The customer is the issuer (E0202).', p_invoice.customer ->> 'document' = issuer.cnpj),
      (21, 'competence_in_future', 'competence_date', 'error', 'The competence date is after today.', p_invoice.competence_date > invoicing.today()),
      (22, 'invalid_reference', 'customer_id', 'error', 'The customer is archived.', exists (
        select from invoicing.customers as customer where customer.tenant_id = p_invoice.tenant_id and customer.id = p_invoice.customer_id and customer.archived_at is not null)),
      (23, 'invalid_reference', 'service_id', 'error', 'The service is archived.', exists (
        select from invoicing.services as service where service.tenant_id = p_invoice.tenant_id and service.id = p_invoice.service_id and service.archived_at is not null)),
      (24, 'invalid_reference', 'issuer_id', 'error', 'The issuer is archived.', issuer.archived_at is not null),
      (25, 'other_withholdings_without_field', 'other_withholdings', 'warning', 'The NFS-e has no field for other withholdings: they stand in its complementary information.',
        p_invoice.other_withholdings > 0)
    ) as given (place, code, field, severity, message, holds)
    where given.holds
    union all
    select 9 + missing.place, 'provider_not_ready', 'issuer_id', 'error', missing.problem ->> 'message'
    from json_array_elements(invoicing.issuer_problems(issuer)) with ordinality as missing (problem, place)
  ) as problem
  where issuer.tenant_id = p_invoice.tenant_id and issuer.id = p_invoice.issuer_id
$$;
comment on function invoicing.problems_of(invoicing.invoices) is
  'What is wrong with an invoice before it is transmitted, in the order in which it refuses. An error refuses the transmission, a warning does not.';
revoke execute on function invoicing.problems_of(invoicing.invoices) from public;
