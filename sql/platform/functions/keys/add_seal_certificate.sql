create or replace function platform.add_seal_certificate(
  p_environment text, p_certificate_id text, p_certificate bytea, p_sealed_key bytea, p_not_before timestamptz, p_not_after timestamptz
)
  returns boolean language plpgsql volatile set search_path = '' as $$
begin
  -- Several processes may start at once. The partial unique index accepts one certificate.
  insert into platform.seal_certificates (certificate_id, environment, certificate, sealed_key, not_before, not_after)
  values (p_certificate_id, p_environment, p_certificate, p_sealed_key, p_not_before, p_not_after)
  on conflict (environment) where status = 'active' do nothing;
  if not found then
    return false;
  end if;
  perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
  perform platform.record_audit_event('seal_certificate.created', 'platform', '00000000-0000-0000-0000-000000000000',
    jsonb_build_object('environment', p_environment, 'certificate_id', p_certificate_id,
      'not_before', platform.instant(p_not_before), 'not_after', platform.instant(p_not_after)));
  perform platform.enter_context(null, null, null, null, null);
  return true;
end
$$;
comment on function platform.add_seal_certificate(text, text, bytea, bytea, timestamptz, timestamptz) is
  'Makes a certificate the active certificate of its environment. False when the environment already has an active certificate.';
revoke execute on function platform.add_seal_certificate(text, text, bytea, bytea, timestamptz, timestamptz) from public;
