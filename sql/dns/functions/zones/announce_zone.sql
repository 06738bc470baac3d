create or replace function dns.announce_zone(p_zone dns.zones, p_kind text, p_more json default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform webhooks.emit_event('zone.' || p_kind, p_zone.subject_id,
    (jsonb_build_object('zone_id', p_zone.id, 'name', p_zone.name, 'status', p_zone.status) || p_more::jsonb)::json, now());
  perform dns.flush_later(p_zone.name);
end
$$;
comment on function dns.announce_zone(dns.zones, text, json) is
  'Tells webhooks what happened to a zone (created, deleted, records_changed), and has the nameservers forget their answers about it.';
revoke execute on function dns.announce_zone(dns.zones, text, json) from public;
