--! owner selo_system
-- Looks across tenants: operators that are not leakproof lose their index under row-level security. Tenant and environment are arguments.
-- The condition is that of signature.search_proofs. A search with a period needs another plan: one function for both would make searches without a period slower.
create or replace function signature.search_proofs_within(
  p_tenant_id uuid, p_environment text, p_search text, p_from timestamptz, p_to timestamptz, p_after_at timestamptz, p_after_id uuid, p_limit integer,
  p_later_than timestamptz default null, p_until timestamptz default null, p_at timestamptz[] default null, p_newer_than_at timestamptz default null,
  p_newer_than_id uuid default null, p_oldest_first boolean default false
)
  returns table (id uuid, registered_at timestamptz)
  -- Each search is planned for its own text and its own period.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  c_patterns constant text[] := platform.search_patterns(p_search);
  -- A digest prefix is a range of digests, so the unique index finds it. The empty prefix is the range of all digests.
  c_first_digest constant bytea := case when p_search ~ '^[0-9A-Fa-f]{0,64}$' then decode(rpad(p_search, 64, '0'), 'hex') end;
  c_last_digest constant bytea := case when p_search ~ '^[0-9A-Fa-f]{0,64}$' then decode(rpad(p_search, 64, 'f'), 'hex') end;
begin
  return query
    select proof.id, proof.registered_at
    from signature.proofs as proof
    where proof.tenant_id = p_tenant_id and proof.environment = p_environment
      and (p_search = '' or proof.label operator(pg_catalog.~~*) any (c_patterns)
        or proof.file_name operator(pg_catalog.~~*) any (c_patterns)
        or (proof.sha256 >= c_first_digest and proof.sha256 <= c_last_digest))
      and (p_from is null or proof.registered_at >= p_from) and (p_to is null or proof.registered_at < p_to)
      and (p_later_than is null or proof.registered_at > p_later_than) and (p_until is null or proof.registered_at <= p_until)
      and (p_at is null or proof.registered_at = any (p_at))
      and (p_after_at is null or (proof.registered_at, proof.id) < (p_after_at, p_after_id))
      and (p_newer_than_at is null or (proof.registered_at, proof.id) > (p_newer_than_at, p_newer_than_id))
    -- The plan knows the direction: a key that is null for every proof needs no sort.
    order by case when p_oldest_first then proof.registered_at end, case when p_oldest_first then proof.id end,
      case when not p_oldest_first then proof.registered_at end desc, case when not p_oldest_first then proof.id end desc
    limit p_limit;
end
$$;
comment on function signature.search_proofs_within(uuid, text, text, timestamptz, timestamptz, timestamptz, uuid, integer, timestamptz, timestamptz, timestamptz[], timestamptz, uuid, boolean) is
  'Proofs that signature.search_proofs finds, or all proofs for an empty text. They can be limited to a period, from an instant (included) to another instant, or later than an instant and until another (included); to a list of instants; to proofs older than a proof (after) or newer than a proof. Finds the newest of them, or the oldest. Null leaves an end open.';
revoke execute on function signature.search_proofs_within(uuid, text, text, timestamptz, timestamptz, timestamptz, uuid, integer, timestamptz, timestamptz, timestamptz[], timestamptz, uuid, boolean) from public;
grant execute on function signature.search_proofs_within(uuid, text, text, timestamptz, timestamptz, timestamptz, uuid, integer, timestamptz, timestamptz, timestamptz[], timestamptz, uuid, boolean) to selo_owner;
