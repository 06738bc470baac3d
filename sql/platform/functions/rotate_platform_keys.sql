create or replace function platform.rotate_platform_keys(p_keys jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz;
  v_environment text;
begin
  -- Rotations run one after the other, and not beside platform.replace_sealed_values. Readers and seals do not wait.
  -- Certificates rotate in the same transaction, after the events of the keys.
  lock table platform.platform_keys, platform.seal_certificates in share row exclusive mode;
  v_now := clock_timestamp();
  -- The gateways have the master key that decrypts the present seeds. A seed sealed under another key would stop the gateways.
  if exists (
    select from jsonb_to_recordset(p_keys) as made (environment text, sealed_seed bytea)
    join platform.platform_keys as present on present.environment = made.environment and present.status = 'active'
    where substring(present.sealed_seed from 2 for 4) <> substring(made.sealed_seed from 2 for 4)
  ) then
    perform platform.fail(409, 'conflict', 'The current platform keys are sealed under a master key other than SELO_MASTER_KEY; run selo keys reencrypt first. Nothing was changed.');
  end if;

  for v_environment in
    select distinct made.environment from jsonb_to_recordset(p_keys) as made (environment text) order by made.environment
  loop
    perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
    perform platform.record_audit_event('platform_keys.rotated', 'platform', '00000000-0000-0000-0000-000000000000', (
      select jsonb_build_object('environment', v_environment,
        'key_id', max(made.key_id) filter (where made.algorithm = 'Ed25519'),
        'pq_key_id', max(made.key_id) filter (where made.algorithm = 'ML-DSA-87'),
        'retired_key_id', max(present.key_id) filter (where present.algorithm = 'Ed25519'),
        'retired_pq_key_id', max(present.key_id) filter (where present.algorithm = 'ML-DSA-87'))
      from jsonb_to_recordset(p_keys) as made (environment text, algorithm text, key_id text)
      left join platform.platform_keys as present
        on present.environment = made.environment and present.algorithm = made.algorithm and present.status = 'active'
      where made.environment = v_environment));
    perform platform.enter_context(null, null, null, null, null);
    update platform.platform_keys as key set status = 'retired', retired_at = v_now
    where key.environment = v_environment and key.status = 'active';
    insert into platform.platform_keys (key_id, environment, algorithm, public_key, sealed_seed)
    select made.key_id, made.environment, made.algorithm, made.public_key, made.sealed_seed
    from jsonb_to_recordset(p_keys) as made (key_id text, environment text, algorithm text, public_key bytea, sealed_seed bytea)
    where made.environment = v_environment;
    if (select count(*) from platform.platform_keys as key where key.environment = v_environment and key.status = 'active') <> 2 then
      raise exception 'a pair must have one key of each algorithm' using errcode = 'check_violation';
    end if;
  end loop;
end
$$;
comment on function platform.rotate_platform_keys(jsonb) is
  'Makes new pairs the active pairs of their environments and retires the previous pairs: [{key_id, environment, algorithm, public_key, sealed_seed (bytea, \x…)}]. 409 conflict when another master key sealed the present seeds than the new seeds.';
revoke execute on function platform.rotate_platform_keys(jsonb) from public;
