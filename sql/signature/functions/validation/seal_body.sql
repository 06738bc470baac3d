create or replace function signature.seal_body(
  p_key_id text, p_signature bytea, p_pq_key_id text, p_signature_pq bytea, p_signed text, p_fault text
)
  returns json language sql immutable set search_path = '' as $$
  select json_build_object('proof', json_build_object(
      'platform_key_id', p_key_id, 'platform_signature', replace(encode(p_signature, 'base64'), E'\n', ''),
      'platform_pq_key_id', p_pq_key_id, 'platform_signature_pq', replace(encode(p_signature_pq, 'base64'), E'\n', '')),
    'signed', p_signed, 'fault', p_fault)
$$;
comment on function signature.seal_body(text, bytea, text, bytea, text, text) is
  'A signed text with both signatures and its fault, for the gateway, which verifies: {proof: {platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq}, signed, fault}.';
revoke execute on function signature.seal_body(text, bytea, text, bytea, text, text) from public;
