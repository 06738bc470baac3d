create or replace function accounts.announce_attempt(p_email text, p_network text, p_tag text, p_proof text) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  -- A caller never makes so many: accounts.attempt_limits ends them long before.
  c_most constant integer := 1000;
  v_count integer;
  v_wait_seconds integer;
  v_person accounts.people;
begin
  insert into platform.request_counts as known (key, count, resets_at)
  values (accounts.keyed_digest('announced attempts of an account', accounts.email_key(p_email)), 1, clock_timestamp() + interval '1 hour')
  on conflict (key) do update set
    count = case when known.resets_at <= clock_timestamp() then 1 else known.count + 1 end,
    resets_at = case when known.resets_at <= clock_timestamp() then excluded.resets_at else known.resets_at end
  returning known.count, greatest(ceil(extract(epoch from known.resets_at - clock_timestamp())), 1) into v_count, v_wait_seconds;
  if v_count <= c_most then
    insert into platform.request_counts as known (key, count, resets_at)
    values (accounts.announced_key(p_email, p_network, p_tag, p_proof), 1, clock_timestamp() + interval '1 minute')
    on conflict (key) do update set resets_at = excluded.resets_at;
    return null;
  elsif v_count = c_most + 1 then
    v_person := accounts.find_person(p_email);
    perform accounts.record_failure('user.locked_out', accounts.last_organization_of(v_person.id), v_person.id);
  end if;
  return v_wait_seconds;
end
$$;
comment on function accounts.announce_attempt(text, text, text, text) is
  'Announces the tag and the proof of the next attempt to sign in. The caller commits before the attempt: accounts.prove_person compares nothing else, so an attempt that is rolled back stays announced. An account has at most a thousand wrong announcements an hour. Answers null, or the seconds to wait after too many. The first one too many has an event.';
revoke execute on function accounts.announce_attempt(text, text, text, text) from public;
