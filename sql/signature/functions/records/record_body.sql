create or replace function signature.record_body(p_record signature.signature_records) returns json
  language sql stable set search_path = '' as $$
  select json_build_object('id', p_record.id, 'participant_id', p_record.participant_id, 'evidence', p_record.evidence::json,
    'platform_signature', replace(encode(p_record.platform_signature, 'base64'), E'\n', ''), 'platform_key_id', p_record.platform_key_id,
    'platform_signature_pq', replace(encode(p_record.platform_signature_pq, 'base64'), E'\n', ''), 'platform_pq_key_id', p_record.platform_pq_key_id)
$$;
comment on function signature.record_body(signature.signature_records) is
  'A signed record as answers show it: {id, participant_id, evidence, platform_signature, platform_key_id, platform_signature_pq, platform_pq_key_id}, with signatures in base64.';
revoke execute on function signature.record_body(signature.signature_records) from public;
