create or replace function invoicing.today() returns date
  language sql stable set search_path = '' as $$
  select (now() at time zone organization.time_zone)::date from platform.organizations as organization where organization.id = platform.tenant_id()
$$;
comment on function invoicing.today() is 'Today, in the time zone of the organization.';
revoke execute on function invoicing.today() from public;
