create function gateway.create_api_token(p_environment text, p_name text, p_scopes text[], p_expires_at timestamptz default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_made record;
begin
  perform platform.require_scope('tokens:manage');
  select made.id, made.token into v_made
  from platform.create_token(platform.tenant_id(), p_environment, p_name, p_scopes, p_expires_at) as made;
  return (
    select (gateway.api_tokens_json(shown)::jsonb || jsonb_build_object('token', v_made.token))::json
    from api.api_tokens as shown where shown.id = v_made.id);
end
$$;
comment on function gateway.create_api_token(text, text, text[], timestamptz) is
  E'@once token\n@param environment {platform.environments} The environment that the token acts in.\n@param name {1..100} A name for the token.\n@param scopes {1..1000 of ..100} What the token may do. 403 `forbidden` for a scope that your role lacks.\n@param expires_at When the token expires. Without it, the token never expires.\nMakes an API token, whose secret only this answer has.';
revoke execute on function gateway.create_api_token(text, text, text[], timestamptz) from public;
