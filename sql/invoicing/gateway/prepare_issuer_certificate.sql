create function gateway.prepare_issuer_certificate(p_id uuid) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('invoices:manage');
  if not exists (
      select from invoicing.issuers as issuer
      where issuer.tenant_id = platform.tenant_id() and issuer.environment = platform.environment() and issuer.id = p_id) then
    perform platform.fail(404, 'not_found', 'There is no such issuer.');
  end if;
  return '{}';
end
$$;
comment on function gateway.prepare_issuer_certificate(uuid) is
  E'@param id Id of the issuer.\nFirst half of POST /issuers/{id}/certificate: whether the caller may give the issuer a certificate, before the file is read.';
revoke execute on function gateway.prepare_issuer_certificate(uuid) from public;
