create or replace function platform.token_state(p_tenant_id uuid, p_token_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('record_sha256', platform.record_digest(token.record_salt, platform.token_record(token, array(
    select credential from platform.credentials as credential
    where credential.tenant_id = token.tenant_id and credential.kind = 'token' and credential.actor_id = token.id))))
  from platform.tokens as token where token.tenant_id = p_tenant_id and token.id = p_token_id
$$;
comment on function platform.token_state(uuid, uuid) is 'The part of a token''s events that describes the record: {record_sha256}.';
revoke execute on function platform.token_state(uuid, uuid) from public;
