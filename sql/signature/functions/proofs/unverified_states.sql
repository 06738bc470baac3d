--! owner selo_system
-- Looks across tenants: one figure covers all proofs.
create or replace function signature.unverified_states(out waiting bigint, out failed bigint, out oldest_seconds double precision)
  language sql stable security definer set search_path = '' as $$
  select
    count(*) filter (where queued.failed_at is null),
    count(*) filter (where queued.failed_at is not null),
    extract(epoch from now() - min(queued.created_at) filter (where queued.failed_at is null))::double precision
  from signature.unverified_proofs as queued
$$;
comment on function signature.unverified_states() is
  'The number of proofs that wait for their second verification and of proofs that failed it, and for how long the oldest waiting proof has waited.';
revoke execute on function signature.unverified_states() from public;
grant execute on function signature.unverified_states() to selo_owner;
