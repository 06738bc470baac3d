create or replace function invoicing.hold_issuers() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform from platform.projects as project
  where project.tenant_id = platform.tenant_id() and project.environment = platform.environment() for no key update;
end
$$;
comment on function invoicing.hold_issuers() is 'Locks the issuers of the context: one request at a time says which is the default.';
revoke execute on function invoicing.hold_issuers() from public;
