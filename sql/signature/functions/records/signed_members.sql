create or replace function signature.signed_members(p_envelope signature.envelopes, p_made jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('schema_version', 1, 'record_id', p_made ->> 'record_id', 'tenant_id', organization.id, 'organization', organization.name,
    'environment', p_envelope.environment, 'envelope_id', p_envelope.id, 'verification_code', p_envelope.verification_code,
    'time_source', 'platform_server_clock_utc', 'hash_algorithm', 'SHA-256', 'key_id', p_made ->> 'key_id', 'pq_key_id', p_made ->> 'pq_key_id', 'hybrid_policy', 'AND')
  from platform.organizations as organization where organization.id = p_envelope.tenant_id
$$;
comment on function signature.signed_members(signature.envelopes, jsonb) is
  'The members that the evidence of all records of an envelope shares. The second argument {record_id, key_id, pq_key_id} has what the envelope does not say.';
revoke execute on function signature.signed_members(signature.envelopes, jsonb) from public;
