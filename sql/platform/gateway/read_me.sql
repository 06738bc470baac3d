create function gateway.read_me() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_token();
  return (
    select json_build_object(
      'organization', json_build_object('id', organization.id, 'number', organization.number, 'name', organization.name),
      'environment', platform.environment(),
      'token', (
        select json_build_object('id', token.id, 'name', token.name, 'prefix', token.prefix,
          'created_at', platform.wire_instant(token.created_at), 'expires_at', platform.wire_instant((
            select max(credential.expires_at) from platform.credentials as credential
            where credential.tenant_id = token.tenant_id and credential.actor_id = token.id and credential.kind = 'token')))
        from platform.tokens as token
        where token.tenant_id = organization.id and token.id = current_setting('app.actor_id')::uuid
          and current_setting('app.actor_kind') = 'token'),
      'scopes', (
        select coalesce(json_agg(scope order by scope), '[]') from unnest(string_to_array(current_setting('app.scopes'), ' ')) as scope),
      'plan', organization.plan)
    from platform.organizations as organization
    where organization.id = platform.tenant_id());
end
$$;
comment on function gateway.read_me() is
  'GET /me: the organization, environment, token, scopes and plan behind the credential of the request. token is null for an actor of another kind. The command needs no scope: the holder of a credential may know what the credential opens.';
revoke execute on function gateway.read_me() from public;
