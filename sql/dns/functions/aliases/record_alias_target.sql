--! owner selo_system
-- Looks across tenants: all who lead to a name share what the public DNS says about it.
create or replace function dns.record_alias_target(p_name text, p_began timestamptz, p_answers jsonb, p_only_new boolean default false) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_kept constant interval := '7 days';
  v_kind record;
  v_before dns.alias_targets;
  v_after dns.alias_targets;
  v_labels constant text[] := string_to_array(p_name, '.');
  v_is_news boolean := false;
begin
  for v_kind in
    select answer.type, answer.status, answer.ttl, coalesce(answer.cnames, '{}') as cnames, array(
        select distinct judged.content collate "C" from unnest(answer.addresses) as address
        cross join lateral dns.judge_content(answer.type, address, null) as judged where judged.fault is null order by 1 limit 50) as addresses
    from jsonb_to_recordset(p_answers) as answer (type text, status text, ttl bigint, cnames text[], addresses text[]) order by answer.type
  loop
    -- A transaction that begins to follow the target holds its key (add_alias_targets). This one does not wait for it.
    select target.* into v_before from dns.alias_targets as target where target.name = p_name and target.type = v_kind.type for no key update;
    -- It is gone, or a check that began later has ended already.
    continue when not found or v_before.checked_at >= p_began or p_only_new and v_before.checked_at is not null;
    v_after := v_before;
    v_after.checked_at := p_began;
    if v_kind.status = 'failed' then
      v_after.failing_since := coalesce(v_before.failing_since, p_began);
      v_after.is_given_up := v_before.is_given_up or v_after.failing_since < p_began - c_kept and (v_before.addresses <> '{}' or not exists (
        select from dns.alias_targets as other where other.name = p_name and other.type <> v_kind.type and other.addresses <> '{}' and other.failing_since is null));
      if v_after.failing_since < p_began - c_kept then
        v_after.addresses := '{}';
      end if;
      -- An hour after the first failure, one minute more or less no longer counts.
      v_after.due_at := clock_timestamp() + case when v_after.failing_since < p_began - interval '1 hour' then interval '5 minutes' else interval '1 minute' end;
    else
      v_after.failing_since := null;
      v_after.is_given_up := false;
      v_after.empty_checks := case when v_kind.addresses = '{}' then v_before.empty_checks + 1 else 0 end;
      if v_kind.addresses <> '{}' or v_after.empty_checks > 1 then
        v_after.addresses := v_kind.addresses;
        v_after.cnames := v_kind.cnames;
      end if;
      if v_kind.addresses <> '{}' then
        v_after.ttl := least(greatest(v_kind.ttl, 60), 3600);
      elsif v_before.addresses = '{}' then
        v_after.cnames := v_kind.cnames;
      end if;
      v_after.due_at := clock_timestamp() + case
        when v_kind.addresses <> '{}' then make_interval(secs => v_after.ttl)
        when v_after.addresses <> '{}' then interval '1 minute'
        else interval '5 minutes' end;
    end if;
    update dns.alias_targets as target
    set addresses = v_after.addresses, ttl = v_after.ttl, cnames = v_after.cnames, checked_at = v_after.checked_at, due_at = v_after.due_at,
      failing_since = v_after.failing_since, empty_checks = v_after.empty_checks, is_given_up = v_after.is_given_up
    where target.name = p_name and target.type = v_kind.type;
    v_is_news := v_is_news or v_before.checked_at is null
      or (v_after.addresses, v_after.ttl, v_after.cnames, v_after.is_given_up) is distinct from (v_before.addresses, v_before.ttl, v_before.cnames, v_before.is_given_up);
  end loop;
  -- A zone that was made meanwhile may answer for the name.
  v_is_news := v_is_news or exists (
    select from generate_series(1, cardinality(v_labels) - 1) as place
    join platform.zone_names as known on known.name = array_to_string(v_labels[place:], '.'));
  return v_is_news and dns.note_alias_news(p_name, false);
end
$$;
comment on function dns.record_alias_target(text, timestamptz, jsonb, boolean) is
  'Records what the public DNS said about a target of ALIAS records: [{type, status, ttl, addresses, cnames}] for A and AAAA, status found, empty or failed. Without an answer the last addresses stay for seven days; no addresses twice in a row empty it. Answers whether ALIAS names are to follow. p_began: when it was asked. p_only_new: what is known already stays.';
revoke execute on function dns.record_alias_target(text, timestamptz, jsonb, boolean) from public;
grant execute on function dns.record_alias_target(text, timestamptz, jsonb, boolean) to selo_owner;
