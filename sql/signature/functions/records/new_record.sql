create or replace function signature.new_record() returns jsonb
  language sql volatile set search_path = '' as $$
  select jsonb_build_object('record_id', platform.uuidv7(), 'at', platform.instant(clock_timestamp()),
    'key_id', max(key.key_id) filter (where key.algorithm = 'Ed25519'), 'pq_key_id', max(key.key_id) filter (where key.algorithm = 'ML-DSA-87'))
  from platform.platform_keys as key where key.environment = platform.environment() and key.status = 'active'
$$;
comment on function signature.new_record() is
  'What a record has of its moment alone: {record_id, at, key_id, pq_key_id}, with the keys that sign now.';
revoke execute on function signature.new_record() from public;
