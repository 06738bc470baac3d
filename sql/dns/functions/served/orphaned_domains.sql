--! owner selo_system
-- Looks across tenants: a row of schema pdns names a zone and no organization.
create or replace function dns.orphaned_domains() returns setof integer
  language sql stable security definer set search_path = '' as $$
  select served.domain_id
  from (
    select domain.id as domain_id from pdns.domains as domain
    union select record.domain_id from pdns.records as record
    union select key.domain_id from pdns.cryptokeys as key
    union select setting.domain_id from pdns.domainmetadata as setting
  ) as served
  where not exists (select from dns.zones as zone where zone.id = served.domain_id)
$$;
comment on function dns.orphaned_domains() is 'Ids in schema pdns that no zone has.';
revoke execute on function dns.orphaned_domains() from public;
grant execute on function dns.orphaned_domains() to selo_owner;
