create function api.archive_invoice_issuer(p_id uuid) returns api.invoice_issuers
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_issuer invoicing.issuers;
  v_answer api.invoice_issuers;
begin
  perform platform.require_scope('invoices:manage');
  v_issuer := invoicing.require_issuer(p_id);
  if v_issuer.archived_at is null then
    update invoicing.issuers as issuer set archived_at = now(), is_default = false
    where issuer.tenant_id = v_issuer.tenant_id and issuer.id = p_id returning issuer.* into v_issuer;
    perform platform.record_audit_event('invoice_issuer.archived', 'invoice_issuer', p_id, jsonb_build_object('record_sha256', invoicing.issuer_record(v_issuer)));
  end if;
  select answer.* into v_answer from api.invoice_issuers as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.archive_invoice_issuer(uuid) is
  E'@param id Id of the issuer.\nArchives an issuer, which then takes no new invoice. Invoices that name the issuer stay as they are.';
revoke execute on function api.archive_invoice_issuer(uuid) from public;
