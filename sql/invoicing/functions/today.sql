create or replace function invoicing.today() returns date
  language sql stable set search_path = '' as $$
  -- No DPS is of a later day than that of +12, see issued_at, and its competence date may not be after its own day (E0015).
  select least(instant.at at time zone organization.time_zone, instant.at at time zone 'UTC' + interval '12 hours')::date
  from platform.organizations as organization cross join (select now() as at) as instant
  where organization.id = platform.tenant_id()
$$;
comment on function invoicing.today() is 'Today, in the time zone of the organization, or at +12 for one beyond: the layout knows no later day.';
revoke execute on function invoicing.today() from public;
