create function jobs.record_faults(p_states jsonb, p_now timestamptz default clock_timestamp()) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_seen_at timestamptz;
begin
  -- The lock of this row lets one worker at a time record.
  insert into platform.fault_watch as watch (since, seen_at) values (p_now, p_now)
  on conflict (is_only) do update set seen_at = watch.seen_at
  returning watch.seen_at into v_seen_at;
  -- An observation that comes late knows less than the one before.
  if p_now < v_seen_at then
    return;
  end if;
  update platform.fault_watch as watch set seen_at = p_now;

  if p_now - v_seen_at > platform.fault_patience() then
    update platform.faults as fault set ended_at = p_now
    where fault.component = 'service' and fault.ended_at >= v_seen_at - platform.fault_patience();
    if not found then
      insert into platform.faults (component, extent, began_at, ended_at) values ('service', 'whole', v_seen_at, p_now);
    end if;
  end if;

  update platform.faults as fault set ended_at = null
  where fault.ended_at >= p_now - platform.fault_patience() and p_states ->> fault.component in ('failed', 'part');
  insert into platform.faults as fault (component, extent, began_at)
  select state.key, case state.value when 'failed' then 'whole' else 'part' end, p_now
  from jsonb_each_text(p_states) as state where state.value in ('failed', 'part')
  on conflict (component) where ended_at is null do update set extent = 'whole'
  where excluded.extent = 'whole' and fault.extent = 'part';
  update platform.faults as fault set ended_at = p_now
  where fault.ended_at is null and coalesce(p_states ->> fault.component, 'ok') = 'ok';

  delete from platform.faults as fault where fault.ended_at < p_now - platform.fault_days();
end
$$;
comment on function jobs.record_faults(jsonb, timestamptz) is
  'Records an observation of this moment, {component: ok, part, failed or unknown}: begins of faults and their ends. Unknown changes nothing, and a component that is not named does not fail. After a pause of observations the service was away. May run late and twice.';
revoke execute on function jobs.record_faults(jsonb, timestamptz) from public;
grant execute on function jobs.record_faults(jsonb, timestamptz) to selo_worker;
