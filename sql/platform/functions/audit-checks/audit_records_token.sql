create or replace function platform.audit_records_token(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  with opener as (
    select credential.tenant_id, credential.actor_id, array_agg(credential) as credentials
    from platform.credentials as credential
    where credential.kind = 'token' and (p_tenant_id is null or credential.tenant_id = p_tenant_id)
    group by credential.tenant_id, credential.actor_id
  )
  select token.tenant_id, token.environment, token.id,
    platform.record_digest(token.record_salt, platform.token_record(token, opener.credentials))
  from platform.tokens as token
  left join opener on opener.tenant_id = token.tenant_id and opener.actor_id = token.id
  where p_tenant_id is null or token.tenant_id = p_tenant_id
$$;
comment on function platform.audit_records_token(uuid) is 'The tokens, as records. See platform.audit_check_records.';
revoke execute on function platform.audit_records_token(uuid) from public;
grant execute on function platform.audit_records_token(uuid) to selo_system;
