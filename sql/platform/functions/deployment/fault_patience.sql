create or replace function platform.fault_patience() returns interval
  language sql immutable set search_path = '' as $$
  select interval '5 minutes'
$$;
comment on function platform.fault_patience() is
  'How long no observation may come before the service counts as away: a restart takes less. A fault that comes back within this time is the same fault.';
revoke execute on function platform.fault_patience() from public;
