--! owner selo_system
-- Looks across tenants: the signatures of all proofs are verified alike.
create function jobs.read_signatures(p_range json, p_since timestamptz, p_limit integer)
  returns table (
    tenant_id uuid, environment text, id uuid, evidence text, platform_key_id text, platform_signature bytea,
    platform_pq_key_id text, platform_signature_pq bytea
  )
  -- The range decides which rows are read, and it changes with each call.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  return query
  select proof.tenant_id, proof.environment, proof.id, proof.evidence, proof.platform_key_id, proof.platform_signature,
    proof.platform_pq_key_id, proof.platform_signature_pq
  from signature.proofs as proof
  where (proof.tenant_id, proof.id) > ((p_range -> 'after' ->> 'tenant_id')::uuid, (p_range -> 'after' ->> 'id')::uuid)
    and (proof.tenant_id, proof.id) <= ((p_range -> 'until' ->> 'tenant_id')::uuid, (p_range -> 'until' ->> 'id')::uuid)
    and proof.registered_at >= p_since
  order by proof.tenant_id, proof.id limit p_limit;
end
$$;
comment on function jobs.read_signatures(json, timestamptz, integer) is
  'The first proofs of a range ({after, until}, the second included) that were registered since an instant, with what verifying them needs.';
revoke execute on function jobs.read_signatures(json, timestamptz, integer) from public;
grant execute on function jobs.read_signatures(json, timestamptz, integer) to selo_worker, selo_owner;
