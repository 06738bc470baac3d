create or replace function platform.fault_days() returns interval
  language sql immutable set search_path = '' as $$
  select interval '90 days'
$$;
comment on function platform.fault_days() is 'How long a fault that is over is kept and shown.';
revoke execute on function platform.fault_days() from public;
