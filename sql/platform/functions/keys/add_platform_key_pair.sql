create or replace function platform.add_platform_key_pair(
  p_environment text, p_key_id text, p_public_key bytea, p_sealed_seed bytea,
  p_pq_key_id text, p_pq_public_key bytea, p_pq_sealed_seed bytea
)
  returns boolean language plpgsql volatile set search_path = '' as $$
begin
  -- Several processes may start at once. The partial unique index accepts one pair.
  insert into platform.platform_keys (key_id, environment, algorithm, public_key, sealed_seed)
  values (p_key_id, p_environment, 'Ed25519', p_public_key, p_sealed_seed)
  on conflict (environment, algorithm) where status = 'active' do nothing;
  if not found then
    return false;
  end if;
  insert into platform.platform_keys (key_id, environment, algorithm, public_key, sealed_seed)
  values (p_pq_key_id, p_environment, 'ML-DSA-87', p_pq_public_key, p_pq_sealed_seed);
  perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
  perform platform.record_audit_event('platform_keys.created', 'platform', '00000000-0000-0000-0000-000000000000',
    jsonb_build_object('environment', p_environment, 'key_id', p_key_id, 'pq_key_id', p_pq_key_id));
  perform platform.enter_context(null, null, null, null, null);
  return true;
end
$$;
comment on function platform.add_platform_key_pair(text, text, bytea, bytea, text, bytea, bytea) is
  'Makes a pair the active pair of its environment. False when the environment already has an active pair.';
revoke execute on function platform.add_platform_key_pair(text, text, bytea, bytea, text, bytea, bytea) from public;
