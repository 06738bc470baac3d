create or replace function invoicing.with_members(p_invoice invoicing.invoices, p_members jsonb) returns invoicing.invoices
  language plpgsql stable set search_path = '' as $$
declare
  -- What is no UUID is the id of nothing.
  c_uuid constant text := '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$';
  v_invoice invoicing.invoices := p_invoice;
  v_customer invoicing.customers;
  v_service invoicing.services;
  v_unknown jsonb := '[]';
begin
  v_invoice.tenant_id := platform.tenant_id();
  v_invoice.environment := platform.environment();
  if p_members ? 'customer_id' then
    select customer.* into v_customer from invoicing.customers as customer
    where customer.tenant_id = v_invoice.tenant_id and customer.environment = v_invoice.environment and customer.archived_at is null
      and customer.id = case when p_members ->> 'customer_id' ~ c_uuid then (p_members ->> 'customer_id')::uuid end;
    if not found then
      v_unknown := v_unknown || '[{"field": "customer_id", "message": "must be the id of a customer in use"}]';
    end if;
    v_invoice.customer_id := v_customer.id;
    v_invoice.customer := jsonb_build_object('name', v_customer.name, 'document_type', v_customer.document_type, 'document', v_customer.document,
      'country', v_customer.country, 'email', v_customer.email, 'phone', v_customer.phone,
      'municipal_registration', v_customer.municipal_registration, 'address', v_customer.address);
  end if;
  if p_members ? 'service_id' then
    select service.* into v_service from invoicing.services as service
    where service.tenant_id = v_invoice.tenant_id and service.environment = v_invoice.environment and service.archived_at is null
      and service.id = case when p_members ->> 'service_id' ~ c_uuid then (p_members ->> 'service_id')::uuid end;
    if not found then
      v_unknown := v_unknown || '[{"field": "service_id", "message": "must be the id of a service in use"}]';
    end if;
    v_invoice.service_id := v_service.id;
    v_invoice.service := jsonb_build_object('name', v_service.name, 'national_code', v_service.national_code, 'municipal_code', v_service.municipal_code,
      'nbs_code', v_service.nbs_code, 'iss_taxation', v_service.iss_taxation, 'pis_cofins_cst', v_service.pis_cofins_cst,
      'approximate_taxes', v_service.approximate_taxes, 'ibs_cbs', v_service.ibs_cbs);
    v_invoice.iss_rate := v_service.iss_rate;
    v_invoice.iss_withheld := v_service.iss_withheld;
    v_invoice.description := v_service.description;
  end if;
  if p_members ->> 'issuer_id' is not null then
    select issuer.id into v_invoice.issuer_id from invoicing.issuers as issuer
    where issuer.tenant_id = v_invoice.tenant_id and issuer.environment = v_invoice.environment and issuer.archived_at is null
      and issuer.id = case when p_members ->> 'issuer_id' ~ c_uuid then (p_members ->> 'issuer_id')::uuid end;
    if not found then
      v_unknown := v_unknown || '[{"field": "issuer_id", "message": "must be the id of an issuer in use"}]';
    end if;
  elsif v_invoice.issuer_id is null or p_members ? 'issuer_id' then
    v_invoice.issuer_id := invoicing.default_issuer_id();
    if v_invoice.issuer_id is null then
      perform platform.fail(404, 'issuer_missing', 'There is no issuer. Add one first.');
    end if;
  end if;
  if v_unknown <> '[]' then
    perform platform.fail(422, 'invalid_reference', 'Something that the invoice names is unknown or archived; fields names each.', v_unknown);
  end if;
  -- Null gives a member the default of the service again.
  if v_service.id is null and p_members @> any (array['{"iss_rate": null}', '{"iss_withheld": null}', '{"description": null}']::jsonb[]) then
    select service.* into v_service from invoicing.services as service where service.tenant_id = v_invoice.tenant_id and service.id = v_invoice.service_id;
  end if;
  v_invoice.amount_services := coalesce(invoicing.money(p_members ->> 'amount_services'), v_invoice.amount_services);
  v_invoice.iss_rate := coalesce(invoicing.rate(p_members ->> 'iss_rate'), case when p_members ? 'iss_rate' then v_service.iss_rate else v_invoice.iss_rate end);
  v_invoice.iss_withheld := coalesce((p_members ->> 'iss_withheld')::boolean, case when p_members ? 'iss_withheld' then v_service.iss_withheld else v_invoice.iss_withheld end);
  v_invoice.deductions := case when p_members ? 'deductions' then coalesce(invoicing.money(p_members ->> 'deductions'), 0) else coalesce(v_invoice.deductions, 0) end;
  v_invoice.discount_unconditional := case when p_members ? 'discount_unconditional' then coalesce(invoicing.money(p_members ->> 'discount_unconditional'), 0) else coalesce(v_invoice.discount_unconditional, 0) end;
  v_invoice.discount_conditional := case when p_members ? 'discount_conditional' then coalesce(invoicing.money(p_members ->> 'discount_conditional'), 0) else coalesce(v_invoice.discount_conditional, 0) end;
  v_invoice.pis_amount := case when p_members ? 'pis_amount' then coalesce(invoicing.money(p_members ->> 'pis_amount'), 0) else coalesce(v_invoice.pis_amount, 0) end;
  v_invoice.cofins_amount := case when p_members ? 'cofins_amount' then coalesce(invoicing.money(p_members ->> 'cofins_amount'), 0) else coalesce(v_invoice.cofins_amount, 0) end;
  v_invoice.inss_amount := case when p_members ? 'inss_amount' then coalesce(invoicing.money(p_members ->> 'inss_amount'), 0) else coalesce(v_invoice.inss_amount, 0) end;
  v_invoice.ir_amount := case when p_members ? 'ir_amount' then coalesce(invoicing.money(p_members ->> 'ir_amount'), 0) else coalesce(v_invoice.ir_amount, 0) end;
  v_invoice.csll_amount := case when p_members ? 'csll_amount' then coalesce(invoicing.money(p_members ->> 'csll_amount'), 0) else coalesce(v_invoice.csll_amount, 0) end;
  v_invoice.other_withholdings := case when p_members ? 'other_withholdings' then coalesce(invoicing.money(p_members ->> 'other_withholdings'), 0) else coalesce(v_invoice.other_withholdings, 0) end;
  v_invoice.description := coalesce(invoicing.trimmed(p_members ->> 'description'), case when p_members ? 'description' then v_service.description else v_invoice.description end);
  v_invoice.competence_date := coalesce((p_members ->> 'competence_date')::date, case when not p_members ? 'competence_date' then v_invoice.competence_date end, invoicing.today());
  v_invoice.external_ref := case when p_members ? 'external_ref' then p_members ->> 'external_ref' else v_invoice.external_ref end;
  perform platform.refuse_wrong_arguments(jsonb_build_object(
    'amount_services', case when v_invoice.amount_services <= 0 then 'must be above zero' end,
    'competence_date', case when v_invoice.competence_date < '2000-01-01' then 'must be in 2000 or later' end,
    'description', invoicing.wrong_text(v_invoice.description, 2000, true),
    'external_ref', case when v_invoice.external_ref ~ '[[:cntrl:]]' then 'must not have control characters' end));
  return v_invoice;
end
$$;
comment on function invoicing.with_members(invoicing.invoices, jsonb) is
  'An invoice with the members of a request, by their names. Members that a new invoice lacks come from its service, or are zero. 422 invalid_reference for what is unknown or archived, 404 issuer_missing without an issuer, 422 invalid_request for a wrong text.';
revoke execute on function invoicing.with_members(invoicing.invoices, jsonb) from public;
