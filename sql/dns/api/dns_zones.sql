-- A column without a filter is an expression, as in api.proofs. Ids with a filter have no statistics.
create view api.dns_zones as
select
  zone.id,
  (select organization.number from platform.organizations as organization where organization.id = zone.tenant_id) as org_id,
  zone.name || '' as name,
  zone.status || '' as status,
  zone.nameservers[1:] as nameservers,
  exists (select from dns.dnssec_keys as key where key.tenant_id = zone.tenant_id and key.zone_id = zone.id) as dnssec_enabled,
  zone.checked_at,
  zone.created_at
from dns.zones as zone
where (select platform.may_read('zone:read'))
  and ((select dns.key_zones()) is null or zone.id = any ((select dns.key_zones())::integer[]));
comment on view api.dns_zones is E'@primaryKey id\n@rowName zone\n@searches name\n@defaultOrder ID_ASC\n@foreignKey (status) references dns.zone_statuses (name)\nZones that the nameservers serve.';
comment on column api.dns_zones.id is E'@notNull\n@behavior +orderBy\nId of the zone.';
comment on column api.dns_zones.org_id is E'@notNull\nNumber of the organization.';
comment on column api.dns_zones.name is E'@notNull\n@behavior +filterBy\nThe apex: lower case, without a final dot.';
comment on column api.dns_zones.status is E'@notNull\npending until the public DNS delegates the name to the nameservers, then active. moved once the name has been delegated elsewhere for 30 days.';
comment on column api.dns_zones.nameservers is 'The two nameservers to set at the registrar. Null if the service names none.';
comment on column api.dns_zones.dnssec_enabled is E'@notNull\nWhether the zone is signed.';
comment on column api.dns_zones.checked_at is 'When the delegation was last checked (UTC). Null before the first check.';
comment on column api.dns_zones.created_at is E'@notNull\nWhen the zone was created (UTC).';
grant select on api.dns_zones to selo_app, selo_analyst;
