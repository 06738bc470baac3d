create or replace function dns.record_check(p_zone dns.zones, p_began timestamptz, p_answers jsonb) returns dns.zones
  language plpgsql volatile set search_path = '' as $$
declare
  c_observed constant text[] := dns.observed_ns(p_answers);
  c_is_delegated constant boolean := dns.is_delegated(c_observed, p_zone.nameservers);
  v_action text;
  v_move dns.zone_moves;
  v_zone dns.zones := p_zone;
begin
  -- A check that began before the last one ended may have seen an older state of the DNS.
  if p_zone.checked_at >= p_began then
    return p_zone;
  end if;
  v_zone.checked_at := clock_timestamp();
  v_zone.due_at := dns.next_check(p_zone.id, v_zone.checked_at);
  if c_observed is not null then
    if not c_is_delegated then
      v_zone.ns_before := coalesce(p_zone.ns_before, c_observed);
    end if;
    v_action := case
      when c_is_delegated then case when p_zone.ns_before is not null then 'delegate' end
      when p_zone.lost_at < v_zone.checked_at - interval '30 days' then 'expire'
      else 'lose'
    end;
    select move.* into v_move from dns.zone_moves as move where move.from_status = p_zone.status and move.action = v_action;
  end if;
  if v_move.to_status is not null then
    v_zone.status := v_move.to_status;
    v_zone.lost_at := case v_move.to_status when 'active' then null when 'pending' then v_zone.checked_at else p_zone.lost_at end;
  end if;
  update dns.zones as zone
  set checked_at = v_zone.checked_at, due_at = v_zone.due_at, ns_before = v_zone.ns_before, status = v_zone.status, lost_at = v_zone.lost_at
  where zone.tenant_id = p_zone.tenant_id and zone.id = p_zone.id;
  if jsonb_typeof(p_answers -> 'parent_ds') = 'array' then
    perform dns.record_parent_ds(p_zone.id, array(select jsonb_array_elements_text(p_answers -> 'parent_ds')));
  end if;
  if v_move.to_status is null then
    return v_zone;
  end if;
  if 'active' in (v_move.from_status, v_move.to_status) then
    perform dns.settle_lower_zones(v_zone.tenant_id, v_zone.name);
    perform dns.tell_aliases(v_zone.name, true);
  end if;
  perform webhooks.emit_event('zone.' || v_move.event, v_zone.subject_id,
    json_build_object('zone_id', v_zone.id, 'name', v_zone.name, 'status', v_zone.status), v_zone.checked_at);
  perform platform.record_audit_event('zone.' || v_move.event, 'zone', v_zone.subject_id,
    jsonb_build_object('status', v_zone.status, 'record_sha256', dns.zone_record(v_zone)));
  if v_move.event = 'delegation_lost' then
    perform platform.mail_owners('zone_delegation_lost', jsonb_build_object('zone_id', v_zone.id, 'name', v_zone.name,
      'nameservers', to_jsonb(v_zone.nameservers), 'observed', to_jsonb(c_observed[:10]), 'at', platform.instant(v_zone.checked_at)));
  end if;
  return v_zone;
end
$$;
comment on function dns.record_check(dns.zones, timestamptz, jsonb) is
  'Records what a check of a zone''s delegation found, and moves the zone by dns.zone_moves: with an event, a webhook, and a mail when the delegation is lost. The caller has locked the zone. p_began: when the check began; its result is dropped if another check ended since. p_answers: ObservedDelegation of TypeScript; for its parent_ds see dns.record_parent_ds. Without an answer of the public DNS only the time of the check changes.';
revoke execute on function dns.record_check(dns.zones, timestamptz, jsonb) from public;
