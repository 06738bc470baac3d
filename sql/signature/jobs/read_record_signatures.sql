--! owner selo_system
-- Looks across tenants: a verification covers the signed records of all organizations.
create function jobs.read_record_signatures(p_range json, p_since bigint, p_limit integer)
  returns table (
    tenant_id uuid, environment text, id uuid, subject_id uuid, evidence text, platform_key_id text, platform_signature bytea,
    platform_pq_key_id text, platform_signature_pq bytea
  )
  -- The range decides which rows are read, and it changes with each call.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  -- See jobs.read_signatures.
  c_since constant bigint := case when pg_has_role(session_user, 'selo_owner', 'member') then p_since
    else greatest(p_since, jobs.verified_seal()) end;
begin
  return query
  select record.tenant_id, record.environment, record.id, record.envelope_id, record.evidence, record.platform_key_id, record.platform_signature,
    record.platform_pq_key_id, record.platform_signature_pq
  from signature.signature_records as record
  where (record.tenant_id, record.id) > ((p_range -> 'after' ->> 'tenant_id')::uuid, (p_range -> 'after' ->> 'id')::uuid)
    and (record.tenant_id, record.id) <= ((p_range -> 'until' ->> 'tenant_id')::uuid, (p_range -> 'until' ->> 'id')::uuid)
    and (c_since = 0 or not exists (
      select from signature.event_of_record(record) as event
      join platform.audit_seal_leaves as leaf on leaf.tenant_id = event.tenant_id and leaf.environment = event.environment
        and leaf.subject_id = event.subject_id and leaf.seq >= event.seq
      where leaf.seal_number <= c_since))
  order by record.tenant_id, record.id limit p_limit;
end
$$;
comment on function jobs.read_record_signatures(json, bigint, integer) is
  'The first signed records of a range ({after, until}, the second included) that no seal up to a number covers, with all that their verification needs. subject_id is the envelope.';
revoke execute on function jobs.read_record_signatures(json, bigint, integer) from public;
grant execute on function jobs.read_record_signatures(json, bigint, integer) to selo_worker, selo_owner;
