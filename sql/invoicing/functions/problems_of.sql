create or replace function invoicing.problems_of(p_invoice invoicing.invoices)
  returns table (place integer, code text, field text, severity text, message text)
  language sql stable set search_path = '' as $$
  select row_number() over (order by problem.place)::integer, problem.code, problem.field, problem.severity, problem.message
  from invoicing.issuers as issuer
  cross join invoicing.amounts_of(p_invoice) as amounts
  -- A MEI pays a fixed amount, and what is not taxed has no rate.
  cross join lateral (
    select told.is_taxed, told.is_taxed and issuer.simples <> 2 as is_rated, told.is_taxed and p_invoice.iss_withheld as is_withheld,
      -- Subitems 7.02, 7.05 and 16.01 have no least rate, in the words of the rule itself.
      told.is_taxed and issuer.simples <> 2 and told.national_code !~ '^(0702|0705|1601)' as has_least_rate,
      told.national_code, told.kind in ('cpf', 'cnpj') as has_document, told.kind = 'none' and told.country = 'BR' as is_nameless,
      told.kind = 'nif' or told.country <> 'BR' and p_invoice.customer #>> '{address,postal_code}' is not null as is_abroad,
      coalesce(p_invoice.customer -> 'address', 'null') <> 'null' as has_address,
      p_invoice.pis_amount + p_invoice.cofins_amount + p_invoice.csll_amount as contributions, p_invoice.service ->> 'pis_cofins_cst' as cst
    from (select p_invoice.service ->> 'iss_taxation' = '1' as is_taxed, coalesce(p_invoice.service ->> 'national_code', '') as national_code,
      p_invoice.customer ->> 'document_type' as kind, p_invoice.customer ->> 'country' as country) as told) as taxed
  cross join lateral (
    select given.place, given.code, given.field, given.severity, given.message
    from (values
      -- What a draft is refused for, too.
      (-4, 'invalid_reference', 'customer_id', 'error', 'The customer is archived.', exists (
        select from invoicing.customers as customer where customer.tenant_id = p_invoice.tenant_id and customer.id = p_invoice.customer_id and customer.archived_at is not null)),
      (-3, 'invalid_reference', 'service_id', 'error', 'The service is archived.', exists (
        select from invoicing.services as service where service.tenant_id = p_invoice.tenant_id and service.id = p_invoice.service_id and service.archived_at is not null)),
      (-2, 'invalid_reference', 'issuer_id', 'error', 'The issuer is archived.', issuer.archived_at is not null),
      (-1, 'competence_in_future', 'competence_date', 'error', 'The competence date is after today.', p_invoice.competence_date > invoicing.today()),
      (1, 'rate_over_5', 'iss_rate', 'error', 'The rate of ISS is over 5 % (E0595).', taxed.is_rated and p_invoice.iss_rate > 5),
      (2, 'rate_under_2', 'iss_rate', 'error', 'The rate of ISS is under 2 % (E1297).', taxed.has_least_rate and p_invoice.iss_rate < 2),
      (3, 'effective_rate_under_2', 'deductions', 'warning', 'With its deductions the service pays less than 2 % of ISS.',
        taxed.has_least_rate and p_invoice.iss_rate >= 2 and p_invoice.deductions > 0
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
      -- Rules of the tax authority (ANEXO_I, RN_DPS_NFS-e) that will refuse the invoice, as far as we know. They change often, and it decides.
      (30, 'discount_not_under_services', 'discount_unconditional', 'warning', 'The unconditional discount is as much as the services (E0431).',
        p_invoice.discount_unconditional = p_invoice.amount_services),
      (31, 'discount_not_under_services', 'discount_conditional', 'warning', 'The conditional discount is as much as the services (E0432).',
        p_invoice.discount_conditional = p_invoice.amount_services),
      (32, 'deductions_not_allowed', 'deductions', 'warning', 'Deductions need a taxed service (E0435) of an issuer without a special regime (E0438).',
        p_invoice.deductions > 0 and issuer.simples <> 2 and (not taxed.is_taxed or issuer.special_regime <> 0)),
      (33, 'withholding_not_allowed', 'iss_withheld', 'warning', 'ISS of a MEI is not withheld (E0583).', taxed.is_withheld and issuer.simples = 2),
      (34, 'withholding_not_allowed', 'iss_withheld', 'warning', 'ISS of an issuer with a special regime is not withheld (E0588).', taxed.is_withheld and issuer.special_regime <> 0),
      (35, 'withholding_not_allowed', 'iss_withheld', 'warning', 'ISS of roads (220101) is not withheld (E0596).', taxed.is_withheld and taxed.national_code = '220101'),
      (36, 'address_required', 'customer_id', 'warning', 'A customer that withholds ISS needs an address (E0237), as does one in whose municipality ISS is due (E0234).',
        not taxed.has_address and (taxed.is_withheld and taxed.has_document or taxed.national_code = '170501')),
      (37, 'federal_taxes_of_mei', 'issuer_id', 'warning', 'A MEI has no federal taxes (E0676).',
        issuer.simples = 2 and taxed.contributions + p_invoice.inss_amount + p_invoice.ir_amount > 0),
      (38, 'taxation_not_allowed', 'service_id', 'warning', 'Service 990101 has taxation 4: no ISS is due (E0532).', taxed.national_code = '990101' and p_invoice.service ->> 'iss_taxation' <> '4'),
      (39, 'immunity_not_supported', 'service_id', 'warning', 'Immunity (taxation 2) is not supported yet: the NFS-e asks for its kind (E0592).', p_invoice.service ->> 'iss_taxation' = '2'),
      (40, 'export_not_supported', 'service_id', 'warning', 'Exports (taxation 3) are not supported yet: the NFS-e asks for data of foreign trade (E0330).', p_invoice.service ->> 'iss_taxation' = '3'),
      (41, 'customer_abroad_not_supported', 'customer_id', 'warning', 'A customer with a NIF or an address abroad is not supported yet: the NFS-e asks for data of foreign trade (E0242, E0330).', taxed.is_abroad),
      (42, 'event_not_supported', 'service_id', 'warning', 'Services of item 12 are not supported yet: the NFS-e asks for data of the event (E0390).', taxed.national_code ~ '^12'),
      (43, 'works_not_supported', 'service_id', 'warning', 'Construction is not supported yet: the NFS-e asks for data of the works (E0370).',
        taxed.national_code ~ '^07(020[12]|0401|050[12]|060[12]|0701|0801|1701|1901)$'),
      (44, 'special_regime_not_allowed', 'issuer_id', 'warning', 'A MEI has no special regime, nor has who pays ISS in Simples Nacional (E0174, E0175).',
        taxed.is_taxed and issuer.special_regime <> 0 and (issuer.simples = 2 or issuer.simples = 3 and issuer.simples_regime = 1)),
      (45, 'series_of_others', 'issuer_id', 'warning', 'Software of one''s own has the series 1 to 49999 (E0010).', issuer.series::integer not between 1 and 49999),
      (46, 'customer_is_issuer', 'customer_id', 'warning', 'The customer is another place of the issuer''s company (E0202).',
        p_invoice.customer ->> 'document_type' = 'cnpj' and p_invoice.customer ->> 'document' <> issuer.cnpj and left(p_invoice.customer ->> 'document', 8) = left(issuer.cnpj, 8)),
      (50, 'other_withholdings_without_field', 'other_withholdings', 'warning', 'The NFS-e has no field for other withholdings: they stand in its complementary information.',
        p_invoice.other_withholdings > 0),
      (51, 'contributions_without_cst', 'service_id', 'warning', 'The service has no CST of PIS and COFINS, so the NFS-e has the sum of PIS, COFINS and CSLL alone, and does not say which of them are withheld.',
        taxed.contributions > 0 and taxed.cst is null),
      (52, 'cst_without_base', 'service_id', 'warning', 'With this CST the tax authority may ask for the base and rates of PIS and COFINS, which are not sent (E0678).',
        issuer.simples <> 2 and taxed.cst not in ('00', '08', '09')),
      (53, 'ibs_cbs_left_out', 'customer_id', 'warning', 'The NFS-e names no customer without a document, and so it has no IBS and CBS.',
        taxed.is_nameless and coalesce(p_invoice.service -> 'ibs_cbs', 'null') <> 'null'),
      (54, 'place_of_service', 'service_id', 'warning', 'ISS of this service is due where it is provided: the NFS-e says that this is the municipality of the issuer.',
        taxed.is_taxed and taxed.national_code ~ '^(030501|07(02|04|05|09|10|11|12|16|17|18|19)|110[1-4]|16010[2-4]|160201|1710)')
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
