-- For analysts. A column without a filter is an expression, as in api.proofs. Contents are left out: an analyst sees those of the records that are there.
create view api.dns_changes as
select
  change.zone_id,
  change.serial + 0 as serial,
  change.at,
  change.key_id + 0 as key_id,
  change.request_id || '' as request_id,
  json_array_length(change.added) as records_added,
  json_array_length(change.removed) as records_removed
from dns.changes as change
where (select platform.may_read('record:read'))
  and ((select dns.key_zones()) is null or change.zone_id = any ((select dns.key_zones())::integer[]))
  and not (select dns.is_acme_only());
comment on view api.dns_changes is E'@primaryKey zone_id,serial\n@behavior -query:resource:connection -query:resource:list -query:resource:single\nChanges of zones, without the contents of records. The changes of a zone go with the zone.';
comment on column api.dns_changes.zone_id is E'@notNull\nId of the zone, see api.dns_zones.';
comment on column api.dns_changes.serial is E'@notNull\nThe serial of the zone after the change.';
comment on column api.dns_changes.at is E'@notNull\nWhen the zone changed (UTC).';
comment on column api.dns_changes.key_id is 'Id of the API key that changed the zone. Null for a change by a person or an operator.';
comment on column api.dns_changes.request_id is 'X-Request-Id of the request. Null without one.';
comment on column api.dns_changes.records_added is E'@notNull\nHow many records were added. A record that was changed is removed and added.';
comment on column api.dns_changes.records_removed is E'@notNull\nHow many records were removed.';
grant select on api.dns_changes to selo_analyst;
