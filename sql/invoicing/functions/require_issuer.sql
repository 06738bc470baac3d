create or replace function invoicing.require_issuer(p_id uuid) returns invoicing.issuers
  language plpgsql volatile set search_path = '' as $$
declare
  v_issuer invoicing.issuers;
begin
  select issuer.* into v_issuer from invoicing.issuers as issuer
  where issuer.tenant_id = platform.tenant_id() and issuer.environment = platform.environment() and issuer.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such issuer.');
  end if;
  return v_issuer;
end
$$;
comment on function invoicing.require_issuer(uuid) is 'Locks an issuer of the context for a change and answers the row, or 404 not_found.';
revoke execute on function invoicing.require_issuer(uuid) from public;
