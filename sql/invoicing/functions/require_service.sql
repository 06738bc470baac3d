create or replace function invoicing.require_service(p_id uuid) returns invoicing.services
  language plpgsql volatile set search_path = '' as $$
declare
  v_service invoicing.services;
begin
  select service.* into v_service from invoicing.services as service
  where service.tenant_id = platform.tenant_id() and service.environment = platform.environment() and service.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such service.');
  end if;
  return v_service;
end
$$;
comment on function invoicing.require_service(uuid) is 'Locks a service of the context for a change and answers the row, or 404 not_found.';
revoke execute on function invoicing.require_service(uuid) from public;
