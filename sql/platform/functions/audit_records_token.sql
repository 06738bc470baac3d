create or replace function platform.audit_records_token(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  with credential as (
    select known.tenant_id, known.token_id, array_agg(encode(known.digest, 'hex') order by known.digest) as digests
    from platform.token_hashes as known where p_tenant_id is null or known.tenant_id = p_tenant_id
    group by known.tenant_id, known.token_id
  )
  select token.tenant_id, token.environment, token.id,
    platform.record_digest(token.record_salt, platform.token_record(token, coalesce(credential.digests, '{}')))
  from platform.tokens as token
  left join credential on credential.tenant_id = token.tenant_id and credential.token_id = token.id
  where p_tenant_id is null or token.tenant_id = p_tenant_id
$$;
comment on function platform.audit_records_token(uuid) is 'The tokens that are there, see platform.audit_check_records.';
revoke execute on function platform.audit_records_token(uuid) from public;
grant execute on function platform.audit_records_token(uuid) to selo_system;
