create or replace function platform.sealing_keys() returns setof platform.platform_keys
  language sql stable set search_path = '' as $$
  select key.* from platform.platform_keys as key
  where key.status = 'active' or key.retired_at > clock_timestamp() - interval '2 minutes'
$$;
comment on function platform.sealing_keys() is
  'The keys whose seals are accepted: the active keys, and keys retired in the last two minutes. The retired keys are for evidence that was prepared before the rotation.';
revoke execute on function platform.sealing_keys() from public;
