create or replace function platform.scopes_of(p_credential platform.credentials) returns text[]
  language plpgsql stable set search_path = '' as $$
begin
  if p_credential.scopes_from <> 'credential' then
    return gateway.scopes_of_source(p_credential.scopes_from, p_credential.kind, p_credential.tenant_id, p_credential.environment, p_credential.actor_id);
  end if;
  -- Most credentials hold no scope that their kind may not hold, and an answer for them builds no list.
  if exists (select from platform.scopes as scope where p_credential.kind <> all (scope.kinds) and scope.name = any (p_credential.scopes)) then
    return array(
      select held from unnest(p_credential.scopes) as held
      where held not in (select scope.name from platform.scopes as scope where p_credential.kind <> all (scope.kinds)));
  end if;
  return p_credential.scopes;
end
$$;
comment on function platform.scopes_of(platform.credentials) is
  'The scopes of a credential of any kind but token, from the source that scopes_from names, without the scopes that the kind may not hold. Null for a credential whose actor is gone. Scopes of tokens: see platform.find_credential.';
revoke execute on function platform.scopes_of(platform.credentials) from public;
grant execute on function platform.scopes_of(platform.credentials) to selo_system;
