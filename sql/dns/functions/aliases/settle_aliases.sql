create or replace function dns.settle_aliases(
  p_zone dns.zones, p_names text[], p_raises_serial boolean, p_written text[] default null, p_holds_others boolean default false,
  out is_changed boolean, out is_busy boolean
)
  language plpgsql volatile set search_path = '' as $$
declare
  v_record record;
  v_alias dns.aliases;
  v_way record;
  v_ttl integer;
  v_is_due boolean := false;
  v_is_new boolean;
  v_asked text[] := '{}';
  v_changed integer := 0;
  v_written text[] := '{}';
  v_zone dns.zones := p_zone;
begin
  is_busy := false;
  for v_record in
    select record.name, record.content, record.ttl from unnest(dns.records_of_names(p_zone, p_names)) as record
    where record.type = 'ALIAS' and not record.disabled order by record.name
  loop
    -- Locked before the way is read: what becomes due from now on is not missed, see jobs.claim_aliases.
    select alias.* into v_alias from dns.aliases as alias
    where alias.tenant_id = p_zone.tenant_id and alias.zone_id = p_zone.id and alias.name = v_record.name for update;
    continue when not found;
    v_way := dns.resolve_alias(p_zone.tenant_id, v_alias.name, v_record.content, p_holds_others);
    if v_way.is_busy then
      is_busy := true;
      -- Two who wait for each other come back at different times.
      update dns.aliases as alias set settled_at = null, due_at = clock_timestamp() + interval '1 second' * (0.5 + random())
      where alias.tenant_id = p_zone.tenant_id and alias.zone_id = p_zone.id and alias.name = v_alias.name;
      insert into dns.alias_links (tenant_id, zone_id, name, via) values (p_zone.tenant_id, p_zone.id, v_alias.name, v_record.content) on conflict do nothing;
      continue;
    elsif v_way.is_loop and v_alias.name = any (p_written) or v_way.is_loop and not v_way.is_foreign and p_written is not null then
      -- Where ALIAS records of others lead is theirs to know.
      perform platform.fail(422, 'record_conflict', case
        when v_way.is_foreign then format('%s: the ALIAS leads back to itself.', v_alias.name)
        when cardinality(v_way.via) = 0 then format('%s: the ALIAS leads to itself.', v_alias.name)
        else format('%s: the ALIAS leads back to itself through %s.', v_alias.name, array_to_string(v_way.via, ', ')) end);
    end if;
    v_is_due := v_is_due or v_way.is_foreign and not p_holds_others;
    if v_way.asked is not null then
      v_asked := v_asked || v_way.asked;
    end if;
    v_ttl := case when v_way.addresses <> '{}' then least(v_record.ttl, v_way.ttl) end;
    update dns.aliases as alias
    set addresses = v_way.addresses, ttl = v_ttl, is_failing = v_way.is_failing, is_bare = v_way.addresses = '{}',
      settled_at = case when v_way.asked is null or v_way.is_asked then clock_timestamp() end,
      -- When the transaction began: dns.open_aliases finds what it changed.
      changed_at = case when alias.addresses <> v_way.addresses then now() else alias.changed_at end,
      -- A zone of others was not held: a worker looks again, for a change that this transaction did not see.
      due_at = case when v_way.is_foreign and not p_holds_others then clock_timestamp() end
    where alias.tenant_id = p_zone.tenant_id and alias.zone_id = p_zone.id and alias.name = v_alias.name;
    delete from dns.alias_links as link
    where link.tenant_id = p_zone.tenant_id and link.zone_id = p_zone.id and link.name = v_alias.name and link.via <> all (v_way.via);
    insert into dns.alias_links (tenant_id, zone_id, name, via)
    select p_zone.tenant_id, p_zone.id, v_alias.name, step.via from unnest(v_way.via) as step (via) on conflict do nothing;
    if v_way.is_failing and not v_alias.is_failing then
      perform webhooks.emit_event('zone.alias_failing', p_zone.subject_id,
        json_build_object('zone_id', p_zone.id, 'name', p_zone.name, 'status', p_zone.status, 'record', v_alias.name, 'target', v_record.content), clock_timestamp());
    end if;
    if (v_way.addresses, v_ttl, v_way.addresses = '{}') is distinct from (v_alias.addresses, v_alias.ttl, v_alias.is_bare) then
      v_written := v_written || v_alias.name;
      v_changed := v_changed + (v_way.addresses <> v_alias.addresses)::integer;
    end if;
  end loop;
  if v_asked <> '{}' then
    -- A request that changes records asks for new targets itself, and comes before the worker.
    v_is_new := dns.add_alias_targets(p_zone.tenant_id, v_asked, clock_timestamp() + case when p_written is null then interval '0' else interval '3 seconds' end);
    v_is_due := v_is_due or v_is_new and p_written is null;
  end if;
  if v_is_due then
    perform dns.resolve_later();
  end if;
  if is_busy then
    perform dns.resolve_later(interval '2 seconds');
  end if;
  is_changed := v_changed > 0;
  if is_changed and p_raises_serial then
    update dns.zones as zone set serial = zone.serial + 1 where zone.tenant_id = p_zone.tenant_id and zone.id = p_zone.id returning zone.* into v_zone;
    perform platform.record_audit_event('zone.aliases_changed', 'zone', v_zone.subject_id,
      jsonb_build_object('serial', v_zone.serial, 'names', v_changed, 'record_sha256', dns.zone_record(v_zone)));
    perform dns.flush_later(v_zone.name);
  end if;
  if v_written <> '{}' then
    perform dns.publish_names(v_zone.id, v_written);
  end if;
end
$$;
comment on function dns.settle_aliases(dns.zones, text[], boolean, text[], boolean) is
  'Finds the addresses of ALIAS names of a zone of the context, which the caller has locked, and publishes them. Changed addresses raise the serial by one (p_raises_serial: unless the caller has raised it), and equal ones do not. An ALIAS that zones here lead back to itself has no addresses, or is 422 record_conflict in a request (p_written: the names whose ALIAS it writes): where zones of the organization alone do, and where the ALIAS itself is written. Zones of others are held by a worker alone (p_holds_others): requests of strangers would keep their owner from changing them. is_busy: a zone on the way is being changed; a worker comes back.';
revoke execute on function dns.settle_aliases(dns.zones, text[], boolean, text[], boolean) from public;
