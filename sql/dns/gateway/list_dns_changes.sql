create function gateway.list_dns_changes(p_zone_id text, p_limit integer default platform.page_size(), p_before bigint default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_zone dns.zones;
  v_items json;
begin
  perform platform.require_scope('record:read');
  v_zone := dns.require_zone(p_zone_id);
  select coalesce(json_agg(json_build_object('serial', listed.serial, 'at', platform.wire_instant(listed.at),
    'actor_type', event.actor_type, 'actor_id', event.actor_id, 'key_id', listed.key_id, 'request_id', listed.request_id, 'added', listed.added, 'removed', listed.removed) order by listed.serial desc), '[]') into v_items
  from (
    select change.*,
      -- As they are stored, compressed: nothing is read that is not listed.
      sum(pg_column_size(change.added) + pg_column_size(change.removed)) over (order by change.serial desc rows between unbounded preceding and 1 preceding) as bytes_before
    from (
      select newest.* from dns.changes as newest
      where newest.tenant_id = v_zone.tenant_id and newest.zone_id = v_zone.id and (p_before is null or newest.serial < p_before)
      order by newest.serial desc limit p_limit
    ) as change
  ) as listed
  -- The audit trail knows people, too. The event of a change has its serial and follows it in one transaction, so an index finds it among the events of that time.
  left join lateral (
    select made.actor_type, made.actor_id from platform.audit_events as made
    where made.tenant_id = v_zone.tenant_id and made.environment = v_zone.environment and made.action = 'zone.records_changed' and made.subject_id = v_zone.subject_id
      and made.id >= platform.uuidv7_at(listed.at) and made.id < platform.uuidv7_at(listed.at + interval '10 minutes')
      and made.details::jsonb ->> 'serial' = listed.serial::text
    order by made.id limit 1
  ) as event on true
  -- A change may hold a whole zone. A page ends after some megabytes, and has at least one change.
  where listed.bytes_before is null or listed.bytes_before < 4000000;
  return platform.page(v_items, null, p_limit, 0, null);
end
$$;
comment on function gateway.list_dns_changes(text, integer, bigint) is
  E'@param zone_id {..20, else empty} Id of the zone.\n@param before {1..4294967295} Only changes with a lower serial.\n@slow\nGET /orgs/{org_id}/zones/{zone_id}/changes: what changed, newest first.';
revoke execute on function gateway.list_dns_changes(text, integer, bigint) from public;
