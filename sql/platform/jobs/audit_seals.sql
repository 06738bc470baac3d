create function jobs.audit_seals() returns table (
    number bigint, sealed_at timestamptz, evidence text, platform_key_id text, platform_signature bytea,
    platform_pq_key_id text, platform_signature_pq bytea
  )
  language sql stable security definer set search_path = '' as $$
  select seal.number, seal.sealed_at, seal.evidence, seal.platform_key_id, seal.platform_signature, seal.platform_pq_key_id, seal.platform_signature_pq
  from platform.audit_seals as seal order by seal.number
$$;
comment on function jobs.audit_seals() is 'All seals of the audit trail, the oldest first.';
revoke execute on function jobs.audit_seals() from public;
grant execute on function jobs.audit_seals() to selo_worker;
