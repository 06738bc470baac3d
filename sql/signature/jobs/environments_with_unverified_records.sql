--! owner selo_system
-- Looks across tenants: the worker verifies all records, one tenant and environment after the other.
create function jobs.environments_with_unverified_records() returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = '' as $$
  select distinct waiting.tenant_id, waiting.environment
  from signature.unverified_records as waiting where waiting.failed_at is null
$$;
comment on function jobs.environments_with_unverified_records() is 'The environments with signed records that wait for the second implementation of the cryptography.';
revoke execute on function jobs.environments_with_unverified_records() from public;
grant execute on function jobs.environments_with_unverified_records() to selo_worker;
