create function jobs.seal_certificates()
  returns table (certificate_id text, environment text, certificate bytea, sealed_key bytea, not_before timestamptz, not_after timestamptz)
  language sql stable security definer set search_path = '' as $$
  select made.certificate_id, made.environment, made.certificate, made.sealed_key, made.not_before, made.not_after from gateway.seal_certificates() as made
$$;
comment on function jobs.seal_certificates() is 'The certificates of gateway.seal_certificates, for the worker, which seals documents.';
revoke execute on function jobs.seal_certificates() from public;
grant execute on function jobs.seal_certificates() to selo_worker;
