create function jobs.begin_transmission(p_given jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_transmission constant invoicing.transmissions := invoicing.hold_transmission(p_given);
  v_invoice invoicing.invoices;
  v_issuer invoicing.issuers;
begin
  if v_transmission.lease_id is null then
    return null;
  end if;
  select invoice.* into v_invoice from invoicing.invoices as invoice
  where invoice.tenant_id = v_transmission.tenant_id and invoice.id = v_transmission.invoice_id;
  if v_invoice.number is null then
    -- Committed before anything is signed: a number is taken once, whatever happens next.
    update invoicing.issuers as issuer set next_number = issuer.next_number + 1
    where issuer.tenant_id = v_invoice.tenant_id and issuer.id = v_invoice.issuer_id returning issuer.* into v_issuer;
    v_invoice.series := v_issuer.series;
    v_invoice.number := v_issuer.next_number - 1;
    perform invoicing.put_invoice(v_invoice);
    perform invoicing.record_invoice_event('invoice.numbered', v_invoice);
  end if;
  select issuer.* into v_issuer from invoicing.issuers as issuer
  where issuer.tenant_id = v_invoice.tenant_id and issuer.id = v_invoice.issuer_id;
  return jsonb_build_object(
    'issuer_id', v_issuer.id, 'certificate', array_to_string(v_issuer.certificate_chain, E'\n'), 'sealed_key', encode(v_issuer.sealed_key, 'base64'),
    'language', (select organization.language from platform.organizations as organization where organization.id = v_invoice.tenant_id),
    'access_key', v_invoice.access_key, 'is_in_doubt', v_transmission.is_in_doubt, 'request_id', v_transmission.request_id,
    'request', encode(v_transmission.request, 'base64'),
    'earlier', (select coalesce(jsonb_agg(encode(earlier.request, 'base64')), '[]') from unnest(v_transmission.earlier_requests) as earlier (request)),
    'dps', (select encode(issued.request, 'base64') from invoicing.transmissions as issued
      where issued.tenant_id = v_invoice.tenant_id and issued.invoice_id = v_invoice.id and issued.kind = 'issue'),
    'facts', case when v_transmission.request is null then case v_transmission.kind
      when 'issue' then invoicing.dps_facts(v_invoice)
      else jsonb_build_object('environment', v_invoice.environment, 'access_key', v_invoice.access_key, 'cnpj', v_issuer.cnpj,
        'requested_at', (select invoicing.issued_at(now(), organization.time_zone) from platform.organizations as organization where organization.id = v_invoice.tenant_id),
        'reason_code', v_invoice.cancel_reason_code, 'reason', v_invoice.cancel_reason) end end);
end
$$;
comment on function jobs.begin_transmission(jsonb) is
  'First step of an attempt, by its lease: takes the number of a new DPS, and answers what the attempt needs: {issuer_id, certificate, sealed_key, language, access_key, is_in_doubt, request_id, request, earlier, dps, facts}, bytes in base64. Null if the lease is over.';
revoke execute on function jobs.begin_transmission(jsonb) from public;
