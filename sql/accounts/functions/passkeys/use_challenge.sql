create or replace function accounts.use_challenge(p_challenge text, p_purpose text) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  c_head constant text := left(p_challenge, 48);
  v_ends_at timestamptz;
  v_count integer;
begin
  if (p_challenge ~ '^[0-9a-f]{112}$' and substr(p_challenge, 49) = encode(accounts.keyed_digest('challenge', p_purpose, c_head), 'hex')) is not true then
    return false;
  end if;
  v_ends_at := to_timestamp(('x' || substr(c_head, 33))::bit(64)::bigint);
  if v_ends_at <= clock_timestamp() then
    return false;
  end if;
  insert into platform.request_counts as known (key, count, resets_at)
  values (accounts.keyed_digest('used challenge', p_challenge), 1, v_ends_at)
  on conflict (key) do update set count = known.count + 1
  returning known.count into v_count;
  return v_count = 1;
end
$$;
comment on function accounts.use_challenge(text, text) is
  'Whether a challenge (accounts.new_challenge) is ours, is for this, is not five minutes old, and is used for the first time. It is used up then. Of two requests with one challenge, the second one waits for the first.';
revoke execute on function accounts.use_challenge(text, text) from public;
