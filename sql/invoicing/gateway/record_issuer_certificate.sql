create function gateway.record_issuer_certificate(
  p_id uuid, p_chain text[], p_sealed_key text, p_subject text, p_issuer text, p_serial text, p_sha256 text, p_not_before timestamptz,
  p_not_after timestamptz, p_cnpj text default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issuer invoicing.issuers;
begin
  perform platform.require_scope('invoices:manage');
  v_issuer := invoicing.require_issuer(p_id);
  perform platform.refuse_wrong_arguments(jsonb_build_object('file', case
    when p_cnpj is null then 'must have a certificate of a company (e-CNPJ): this one names no CNPJ'
    when p_cnpj <> v_issuer.cnpj then 'must have a certificate of the CNPJ of the issuer: this one is of another CNPJ'
    when p_not_after <= now() then format('must have a certificate that is valid: this one expired on %s', p_not_after::date)
    when p_not_before > now() then 'must have a certificate that is valid: this one is not valid yet' end));
  update invoicing.issuers as issuer
  set certificate = jsonb_build_object('subject', p_subject, 'issuer', p_issuer, 'serial', p_serial, 'sha256', p_sha256,
      'not_before', platform.wire_instant(p_not_before), 'not_after', platform.wire_instant(p_not_after), 'cnpj', p_cnpj),
    certificate_chain = p_chain, sealed_key = decode(p_sealed_key, 'base64'), warned_days = null
  where issuer.tenant_id = v_issuer.tenant_id and issuer.id = p_id returning issuer.* into v_issuer;
  perform platform.record_audit_event('invoice_issuer.certified', 'invoice_issuer', p_id,
    jsonb_build_object('certificate_sha256', p_sha256, 'record_sha256', invoicing.issuer_record(v_issuer)));
  return (select gateway.invoice_issuers_json(answer) from api.invoice_issuers as answer where answer.id = p_id);
end
$$;
comment on function gateway.record_issuer_certificate(uuid, text[], text, text, text, text, text, timestamptz, timestamptz, text) is
  'Second half of POST /issuers/{id}/certificate: keeps the certificate (PEM) with its encrypted key (base64). 422 invalid_request for a certificate of another CNPJ, or one that is not valid now.';
revoke execute on function gateway.record_issuer_certificate(uuid, text[], text, text, text, text, text, timestamptz, timestamptz, text) from public;
