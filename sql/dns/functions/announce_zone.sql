create or replace function dns.announce_zone(p_zone dns.zones, p_kind text, p_more json default '{}') returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform webhooks.emit_event('zone.' || p_kind, p_zone.subject_id,
    (jsonb_build_object('zone_id', p_zone.id, 'name', p_zone.name, 'status', p_zone.status) || p_more::jsonb)::json, now());
  -- The gateway has the nameservers forget the zone's old answers once this transaction is committed, two seconds at most. The job does it again, in case the
  -- gateway ends before. It begins after these seconds: `npm start` is gateway and worker in one process, and a job under way stays locked for half a minute when its worker is killed.
  perform platform.add_job('dns__flush_zone', json_build_object('zone', p_zone.name), p_run_at => clock_timestamp() + interval '2 seconds',
    p_job_key => 'dns__flush_zone ' || p_zone.name, p_max_attempts => 6);
end
$$;
comment on function dns.announce_zone(dns.zones, text, json) is
  'Tells webhooks what happened to a zone (created, deleted, records_changed), and has the nameservers forget their answers about it.';
revoke execute on function dns.announce_zone(dns.zones, text, json) from public;
