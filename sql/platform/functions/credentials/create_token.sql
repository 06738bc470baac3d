create or replace function platform.create_token(
  p_tenant_id uuid, p_environment text, p_name text, p_scopes text[], p_expires_at timestamptz default null,
  out id uuid, out token text, out prefix text, out environment text, out scopes text[], out expires_at timestamptz
)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  c_saved constant text[] := platform.saved_context();
  v_fields jsonb := '[]';
begin
  if p_environment is null or not exists (select from platform.environments as known where known.name = p_environment) then
    v_fields := v_fields || '{"field": "environment", "message": "must be live or test"}';
  end if;
  if p_name is null or char_length(p_name) not between 1 and 100 then
    v_fields := v_fields || '{"field": "name", "message": "must have 1 to 100 characters"}';
  end if;
  if p_scopes is null or cardinality(p_scopes) = 0
    or exists (select from unnest(p_scopes) as asked where asked not in (select known.name from platform.scopes as known where 'token' = any (known.kinds))) then
    v_fields := v_fields || jsonb_build_object('field', 'scopes', 'message',
      'must be all, or some of: ' || (select string_agg(known.name, ', ' order by known.name) from platform.scopes as known where 'token' = any (known.kinds)));
  end if;
  if p_expires_at <= clock_timestamp() then
    v_fields := v_fields || '{"field": "expires_at", "message": "must lie in the future"}';
  end if;
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_fields);
  end if;
  -- Nobody hands on a scope without having it. The operator has no scopes, and gives any.
  if c_saved[3] <> '' then
    perform platform.require_scope(asked) from unnest(p_scopes) as asked;
  end if;

  -- 32 bytes of the CSPRNG in base64url: 256 bits, 43 characters.
  token := 'svc_' || p_environment || '_'
    || translate(encode(extensions.gen_random_bytes(32), 'base64'), '+/=', '-_');
  id := platform.uuidv7();
  prefix := left(token, 15);
  environment := p_environment;
  select array_agg(distinct asked order by asked) into scopes from unnest(p_scopes) as asked;
  expires_at := p_expires_at;
  -- The audit trail names who asked: a person, or the operator.
  perform platform.restore_context(array[p_tenant_id::text, p_environment] || c_saved[3:]);
  insert into platform.tokens (tenant_id, id, environment, name, prefix, scopes)
  values (p_tenant_id, id, p_environment, p_name, prefix, scopes);
  insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, expires_at)
  values (sha256(sha256(convert_to(token, 'UTF8'))), 'token', p_tenant_id, p_environment, id, 'token', p_expires_at);
  perform platform.mail_contact('token_created',
    jsonb_build_object('name', p_name, 'prefix', prefix, 'scopes', scopes, 'expires_at', platform.instant(expires_at),
      'at', platform.instant(clock_timestamp())));
  perform platform.record_audit_event('token.created', 'token', id, jsonb_strip_nulls(jsonb_build_object(
    'prefix', prefix, 'scopes', scopes, 'environment', environment, 'expires_at', platform.instant(expires_at))) || platform.token_state(p_tenant_id, id));
  perform platform.restore_context(c_saved);
end
$$;
comment on function platform.create_token(uuid, text, text, text[], timestamptz) is
  'Makes a token for the caller: an operator, or a person, who gives no scope that the person lacks (403 forbidden). Only the answer of this call has the whole token. 422 invalid_request names the wrong fields.';
revoke execute on function platform.create_token(uuid, text, text, text[], timestamptz) from public;
