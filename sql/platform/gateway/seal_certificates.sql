create function gateway.seal_certificates()
  returns table (certificate_id text, environment text, certificate bytea, sealed_key bytea, not_before timestamptz, not_after timestamptz)
  language sql stable security definer set search_path = '' as $$
  select made.certificate_id, made.environment, made.certificate, made.sealed_key, made.not_before, made.not_after
  from platform.seal_certificates as made where made.status = 'active' order by made.environment
$$;
comment on function gateway.seal_certificates() is 'The certificates that seal PDFs now, with their encrypted private keys, for the process that signs.';
revoke execute on function gateway.seal_certificates() from public;
grant execute on function gateway.seal_certificates() to selo_app;
