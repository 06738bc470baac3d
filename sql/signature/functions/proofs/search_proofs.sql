--! owner selo_system
-- Looks across tenants: operators that are not leakproof lose their index under row-level security. Tenant and environment are arguments.
create or replace function signature.search_proofs(p_tenant_id uuid, p_environment text, p_search text, p_limit integer)
  returns table (id uuid, registered_at timestamptz)
  -- Each search is planned for its own text. Otherwise Postgres keeps one plan after some searches, and that plan reads all proofs to find a few.
  language sql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
  with term as (
    select
      platform.search_patterns(p_search) as patterns,
      -- A digest prefix is a range of digests, so the unique index finds it. The empty prefix is the range of all digests.
      case when p_search ~ '^[0-9A-Fa-f]{0,64}$' then decode(rpad(p_search, 64, '0'), 'hex') end as first_digest,
      case when p_search ~ '^[0-9A-Fa-f]{0,64}$' then decode(rpad(p_search, 64, 'f'), 'hex') end as last_digest
  )
  select proof.id, proof.registered_at
  from signature.proofs as proof, term
  where proof.tenant_id = p_tenant_id and proof.environment = p_environment
    and (proof.label operator(pg_catalog.~~*) any (term.patterns)
      or proof.file_name operator(pg_catalog.~~*) any (term.patterns)
      or (proof.sha256 >= term.first_digest and proof.sha256 <= term.last_digest))
  order by proof.registered_at desc, proof.id desc
  limit p_limit
$$;
comment on function signature.search_proofs(uuid, text, text, integer) is
  'Ids of the newest proofs whose digest starts with the text, or whose label or file name contains the text literally. The search ignores upper and lower case, and how accents are written.';
revoke execute on function signature.search_proofs(uuid, text, text, integer) from public;
grant execute on function signature.search_proofs(uuid, text, text, integer) to selo_owner;
