--! owner selo_system
-- Looks across tenants: one alarm for all.
create function jobs.count_failed_proofs() returns bigint
  language sql stable security definer set search_path = '' as $$
  select count(*) from signature.unverified_proofs as refused where refused.failed_at is not null
$$;
comment on function jobs.count_failed_proofs() is 'How many proofs failed their second verification; the alarm sounds while it is not zero.';
revoke execute on function jobs.count_failed_proofs() from public;
grant execute on function jobs.count_failed_proofs() to selo_worker;
