create function gateway.update_invoice(
  p_id uuid, p_given text[],
  p_customer_id text default null, p_service_id text default null, p_amount_services text default null, p_iss_rate text default null, p_iss_withheld boolean default null, p_deductions text default null,
  p_discount_unconditional text default null, p_discount_conditional text default null, p_pis_amount text default null, p_cofins_amount text default null, p_inss_amount text default null, p_ir_amount text default null,
  p_csll_amount text default null, p_other_withholdings text default null, p_description text default null, p_competence_date date default null, p_external_ref text default null, p_issuer_id text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old invoicing.invoices;
  v_invoice invoicing.invoices;
begin
  perform platform.require_scope('invoices:write');
  v_old := invoicing.require_invoice(p_id);
  -- A failed invoice of which nothing was sent can be changed as well: what keeps it from being sent may be in it.
  if v_old.status not in ('draft', 'rejected') and (v_old.status <> 'failed' or exists (
      select from invoicing.transmissions as known
      where known.tenant_id = v_old.tenant_id and known.invoice_id = p_id and (known.is_in_doubt or known.lease_id is not null))) then
    perform platform.fail(409, 'invalid_status', format('The invoice is %s: only a draft, a rejected one, or a failed one of which nothing was sent can be changed.', v_old.status));
  end if;
  v_invoice := invoicing.with_members(v_old, (
    select coalesce(jsonb_object_agg(given.key, given.value), '{}')
    from jsonb_each(jsonb_build_object('customer_id', p_customer_id, 'service_id', p_service_id, 'amount_services', p_amount_services, 'iss_rate', p_iss_rate, 'iss_withheld', p_iss_withheld,
    'deductions', p_deductions, 'discount_unconditional', p_discount_unconditional, 'discount_conditional', p_discount_conditional, 'pis_amount', p_pis_amount, 'cofins_amount', p_cofins_amount,
    'inss_amount', p_inss_amount, 'ir_amount', p_ir_amount, 'csll_amount', p_csll_amount, 'other_withholdings', p_other_withholdings, 'description', p_description,
    'competence_date', p_competence_date, 'external_ref', p_external_ref, 'issuer_id', p_issuer_id)) as given
    where given.key = any (p_given)));
  perform invoicing.refuse_future(v_invoice);
  if v_old.status = 'failed' then
    -- The next attempt comes by itself, and asks no more.
    perform invoicing.refuse_problems(v_invoice);
    update invoicing.transmissions as known set issuer_id = v_invoice.issuer_id
    where known.tenant_id = v_old.tenant_id and known.invoice_id = p_id and known.kind = 'issue' and known.issuer_id <> v_invoice.issuer_id;
  end if;
  if v_invoice.issuer_id <> v_old.issuer_id then
    -- The number is of the other issuer.
    v_invoice.series := null;
    v_invoice.number := null;
  end if;
  if v_invoice is distinct from v_old then
    update invoicing.invoices as invoice
    set customer_id = v_invoice.customer_id, service_id = v_invoice.service_id, issuer_id = v_invoice.issuer_id, series = v_invoice.series, number = v_invoice.number, customer = v_invoice.customer,
      service = v_invoice.service, amount_services = v_invoice.amount_services, iss_rate = v_invoice.iss_rate, iss_withheld = v_invoice.iss_withheld,
      deductions = v_invoice.deductions, discount_unconditional = v_invoice.discount_unconditional, discount_conditional = v_invoice.discount_conditional, pis_amount = v_invoice.pis_amount,
      cofins_amount = v_invoice.cofins_amount, inss_amount = v_invoice.inss_amount, ir_amount = v_invoice.ir_amount, csll_amount = v_invoice.csll_amount,
      other_withholdings = v_invoice.other_withholdings, description = v_invoice.description,
      competence_date = v_invoice.competence_date, external_ref = v_invoice.external_ref
    where invoice.tenant_id = v_old.tenant_id and invoice.id = p_id returning invoice.* into v_invoice;
    perform invoicing.record_invoice_event('invoice.changed', v_invoice);
  end if;
  return invoicing.invoice_json(p_id);
end
$$;
comment on function gateway.update_invoice(uuid, text[], text, text, text, text, boolean, text, text, text, text, text, text, text, text, text, text, date, text, text) is
  E'@param id Id of the invoice.\n@param customer_id {1..100, not null} Id of the customer.\n@param service_id {1..100, not null} Id of the service.\n@param amount_services {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00, not null} Amount of the services in BRL, above zero.\n@param iss_rate {..6, /^(0|[1-9][0-9]?)(\\.[0-9]{1,2})?$|^100(\\.00?)?$/ must be 0 to 100 with up to two decimals} Rate of ISS in per cent. That of the service unless given.\n@param iss_withheld Whether the customer withholds ISS. As the service says unless given.\n@param deductions {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Deductions from the base of ISS, in BRL. Zero unless given.\n@param discount_unconditional {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Discount without a condition, in BRL. Zero unless given.\n@param discount_conditional {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Discount with a condition, in BRL. Zero unless given.\n@param pis_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} PIS withheld, in BRL. Zero unless given.\n@param cofins_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} COFINS withheld, in BRL. Zero unless given.\n@param inss_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} INSS withheld, in BRL. Zero unless given.\n@param ir_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} IR withheld, in BRL. Zero unless given.\n@param csll_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} CSLL withheld, in BRL. Zero unless given.\n@param other_withholdings {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Other withholdings, in BRL. Zero unless given.\n@param description {1..2000} What the invoice says of the service. That of the service unless given.\n@param competence_date The day on which the service was rendered. Today unless given, in the time zone of the organization.\n@param external_ref {1..120} A reference of your choice.\n@param issuer_id {1..100} Id of the issuer. The default issuer unless given.\nPATCH /invoices/{id}: changes the given members, named in p_given, of a draft, a rejected invoice, or a failed one of which nothing was sent. Null gives a member its default again.';
revoke execute on function gateway.update_invoice(uuid, text[], text, text, text, text, boolean, text, text, text, text, text, text, text, text, text, text, date, text, text) from public;
