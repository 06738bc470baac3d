create or replace function platform.rotate_seal_certificates(p_certificates jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_made record;
  v_retired text;
begin
  -- Rotations run one after the other, and not beside platform.replace_sealed_values. Readers and seals do not wait.
  lock table platform.seal_certificates in share row exclusive mode;
  for v_made in
    select made.* from jsonb_to_recordset(p_certificates)
      as made (certificate_id text, environment text, certificate bytea, sealed_key bytea, not_before timestamptz, not_after timestamptz)
    order by made.environment
  loop
    if exists (
      select from platform.seal_certificates as present
      where present.environment = v_made.environment and present.status = 'active'
        and substring(present.sealed_key from 2 for 4) <> substring(v_made.sealed_key from 2 for 4)
    ) then
      perform platform.fail(409, 'conflict', 'The current certificates are sealed under a master key other than SELO_MASTER_KEY; run selo keys reencrypt first. Nothing was changed.');
    end if;
    v_retired := null;
    update platform.seal_certificates as present set status = 'retired', retired_at = clock_timestamp()
    where present.environment = v_made.environment and present.status = 'active'
    returning present.certificate_id into v_retired;
    insert into platform.seal_certificates (certificate_id, environment, certificate, sealed_key, not_before, not_after)
    values (v_made.certificate_id, v_made.environment, v_made.certificate, v_made.sealed_key, v_made.not_before, v_made.not_after);
    perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
    perform platform.record_audit_event('seal_certificate.rotated', 'platform', '00000000-0000-0000-0000-000000000000',
      jsonb_strip_nulls(jsonb_build_object('environment', v_made.environment, 'certificate_id', v_made.certificate_id,
        'not_before', platform.instant(v_made.not_before), 'not_after', platform.instant(v_made.not_after), 'retired_certificate_id', v_retired)));
    perform platform.enter_context(null, null, null, null, null);
  end loop;
end
$$;
comment on function platform.rotate_seal_certificates(jsonb) is
  'Makes new certificates the active certificates of their environments and retires the previous certificates: [{certificate_id, environment, certificate, sealed_key (bytea, \x…), not_before, not_after}]. 409 conflict when another master key sealed the present private keys than the new private keys.';
revoke execute on function platform.rotate_seal_certificates(jsonb) from public;
