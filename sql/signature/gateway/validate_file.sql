create function gateway.validate_file(p_sha256 text) returns json
  language plpgsql stable security definer set search_path = ''
  -- Rows are found by indexes of columns without statistics.
  set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
begin
  perform platform.require_scope('signatures:validate');
  return json_build_object(
    'tenant_id', platform.tenant_id(), 'environment', platform.environment(),
    'seal_certificates', (
      select coalesce(json_agg(encode(sha256(made.certificate), 'hex')), '[]')
      from (
        select every.certificate from platform.seal_certificates as every where every.environment = platform.environment()
        union all
        select decode(own.value ->> 'certificate', 'base64')
        from jsonb_array_elements(coalesce(platform.setting('own_seal_certificates')::jsonb, '[]')) as own
        where platform.environment() = 'live') as made),
    'signer_certificates', (
      select coalesce(json_agg(record.evidence::jsonb ->> 'certificate_sha256'), '[]')
      from signature.envelope_documents as linked
      join signature.signature_records as record on record.tenant_id = linked.tenant_id and record.envelope_id = linked.envelope_id
      where linked.final_sha256 = decode(p_sha256, 'hex') and linked.tenant_id = platform.tenant_id() and linked.environment = platform.environment()
        and record.participant_id is not null and record.evidence::jsonb ->> 'certificate_sha256' is not null),
    'found', gateway.validate_digest(p_sha256));
end
$$;
comment on function gateway.validate_file(text) is
  E'@param sha256 {..64, /^[0-9a-f]{64}$/ must be 64 lowercase hexadecimal digits} SHA-256 of the file: 64 lowercase hexadecimal digits.\nFirst half of POST /signatures/validate-file: what gateway.validate_digest knows of the file, and the SHA-256 of each certificate that ever sealed in this environment and of each certificate with which participants signed the file, by their records: {tenant_id, environment, seal_certificates, signer_certificates, found}.';
revoke execute on function gateway.validate_file(text) from public;
