--! owner selo_system
-- Looks across tenants: one figure covers all records.
create or replace function signature.unverified_record_states(out waiting bigint, out failed bigint, out oldest_seconds double precision)
  language sql stable security definer set search_path = '' as $$
  select
    count(*) filter (where queued.failed_at is null),
    count(*) filter (where queued.failed_at is not null),
    extract(epoch from now() - min(queued.created_at) filter (where queued.failed_at is null))::double precision
  from signature.unverified_records as queued
$$;
comment on function signature.unverified_record_states() is
  'The number of signed records that wait for their second verification and of records that failed it, and for how long the oldest waiting record has waited.';
revoke execute on function signature.unverified_record_states() from public;
grant execute on function signature.unverified_record_states() to selo_owner;
