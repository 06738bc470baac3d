create or replace function invoicing.require_customer(p_id uuid) returns invoicing.customers
  language plpgsql volatile set search_path = '' as $$
declare
  v_customer invoicing.customers;
begin
  select customer.* into v_customer from invoicing.customers as customer
  where customer.tenant_id = platform.tenant_id() and customer.environment = platform.environment() and customer.id = p_id
  for no key update;
  if not found then
    perform platform.fail(404, 'not_found', 'There is no such customer.');
  end if;
  return v_customer;
end
$$;
comment on function invoicing.require_customer(uuid) is 'Locks a customer of the context for a change and answers the row, or 404 not_found.';
revoke execute on function invoicing.require_customer(uuid) from public;
