create or replace function invoicing.unset_default_issuer() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_issuer invoicing.issuers;
begin
  update invoicing.issuers as issuer set is_default = false
  where issuer.tenant_id = platform.tenant_id() and issuer.environment = platform.environment() and issuer.is_default
  returning issuer.* into v_issuer;
  if found then
    perform platform.record_audit_event('invoice_issuer.changed', 'invoice_issuer', v_issuer.id, jsonb_build_object('record_sha256', invoicing.issuer_record(v_issuer)));
  end if;
end
$$;
comment on function invoicing.unset_default_issuer() is 'Another issuer becomes the default. The caller holds the issuers (invoicing.hold_issuers).';
revoke execute on function invoicing.unset_default_issuer() from public;
