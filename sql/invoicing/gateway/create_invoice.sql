create function gateway.create_invoice(
  p_customer_id text, p_service_id text, p_amount_services text, p_iss_rate text default null, p_iss_withheld boolean default null, p_deductions text default null,
  p_discount_unconditional text default null, p_discount_conditional text default null, p_pis_amount text default null, p_cofins_amount text default null, p_inss_amount text default null, p_ir_amount text default null,
  p_csll_amount text default null, p_other_withholdings text default null, p_description text default null, p_competence_date date default null, p_external_ref text default null, p_issuer_id text default null,
  p_emit boolean default true, p_idempotency_key text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invoice invoicing.invoices;
  v_known_id uuid;
begin
  perform platform.require_scope('invoices:write');
  select known.* into v_invoice from invoicing.invoices as known
  where known.tenant_id = platform.tenant_id() and known.environment = platform.environment() and known.idempotency_key = p_idempotency_key;
  if found then
    return json_build_object('invoice', invoicing.invoice_json(v_invoice.id), 'is_new', false);
  end if;
  v_invoice := invoicing.with_members(null, jsonb_strip_nulls(jsonb_build_object('customer_id', p_customer_id, 'service_id', p_service_id, 'amount_services', p_amount_services, 'iss_rate', p_iss_rate, 'iss_withheld', p_iss_withheld,
    'deductions', p_deductions, 'discount_unconditional', p_discount_unconditional, 'discount_conditional', p_discount_conditional, 'pis_amount', p_pis_amount, 'cofins_amount', p_cofins_amount,
    'inss_amount', p_inss_amount, 'ir_amount', p_ir_amount, 'csll_amount', p_csll_amount, 'other_withholdings', p_other_withholdings, 'description', p_description,
    'competence_date', p_competence_date, 'external_ref', p_external_ref, 'issuer_id', p_issuer_id)));
  v_invoice.id := platform.uuidv7();
  v_invoice.idempotency_key := p_idempotency_key;
  v_invoice.status := 'draft';
  v_invoice.created_at := now();
  v_invoice.record_salt := extensions.gen_random_bytes(32);
  if p_emit then
    perform invoicing.refuse_problems(v_invoice);
    v_invoice.status := 'queued';
    v_invoice.queued_at := now();
    v_invoice.next_attempt_at := now();
  else
    perform invoicing.refuse_future(v_invoice);
  end if;
  loop
    -- Of two requests with one key at one moment the second waits here, and finds the invoice of the first.
    insert into invoicing.invoices select v_invoice.* on conflict (tenant_id, environment, idempotency_key) do nothing;
    exit when found;
    select known.id into v_known_id from invoicing.invoices as known
    where known.tenant_id = v_invoice.tenant_id and known.environment = v_invoice.environment and known.idempotency_key = p_idempotency_key
    for key share;
    -- Unless that invoice was deleted meanwhile.
    if found then
      return json_build_object('invoice', invoicing.invoice_json(v_known_id), 'is_new', false);
    end if;
  end loop;
  if p_emit then
    perform invoicing.queue_transmission(v_invoice, 'issue');
  end if;
  perform invoicing.record_invoice_event(case when p_emit then 'invoice.queued' else 'invoice.drafted' end, v_invoice);
  return json_build_object('invoice', invoicing.invoice_json(v_invoice.id), 'is_new', true);
end
$$;
comment on function gateway.create_invoice(text, text, text, text, boolean, text, text, text, text, text, text, text, text, text, text, date, text, text, boolean, text) is
  E'@param customer_id {1..100} Id of the customer.\n@param service_id {1..100} Id of the service.\n@param amount_services {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Amount of the services in BRL, above zero.\n@param iss_rate {..6, /^(0|[1-9][0-9]?)(\\.[0-9]{1,2})?$|^100(\\.00?)?$/ must be 0 to 100 with up to two decimals} Rate of ISS in per cent. That of the service unless given.\n@param iss_withheld Whether the customer withholds ISS. As the service says unless given.\n@param deductions {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Deductions from the base of ISS, in BRL. Zero unless given.\n@param discount_unconditional {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Discount without a condition, in BRL. Zero unless given.\n@param discount_conditional {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Discount with a condition, in BRL. Zero unless given.\n@param pis_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} PIS withheld, in BRL. Zero unless given.\n@param cofins_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} COFINS withheld, in BRL. Zero unless given.\n@param inss_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} INSS withheld, in BRL. Zero unless given.\n@param ir_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} IR withheld, in BRL. Zero unless given.\n@param csll_amount {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} CSLL withheld, in BRL. Zero unless given.\n@param other_withholdings {..18, /^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$/ must be 1 to 15 digits with up to two decimals, such as 1500.00} Other withholdings, in BRL. Zero unless given.\n@param description {1..2000} What the invoice says of the service. That of the service unless given.\n@param competence_date The day on which the service was rendered. Today unless given, in the time zone of the organization.\n@param external_ref {1..120} A reference of your choice.\n@param issuer_id {1..100} Id of the issuer. The default issuer unless given.\n@param emit Whether the invoice is transmitted. Otherwise the invoice is a draft.\n@param idempotency_key {1..120} Idempotency-Key, which the invoice keeps.\nPOST /invoices: makes an invoice and answers {invoice, is_new}. is_new is false for the invoice of an earlier request with the same key. With emit, an error of the preview refuses, and nothing is made.';
revoke execute on function gateway.create_invoice(text, text, text, text, boolean, text, text, text, text, text, text, text, text, text, text, date, text, text, boolean, text) from public;
