create or replace function platform.scopes_of(p_credential platform.credentials) returns text[]
  language plpgsql stable set search_path = '' as $$
declare
  v_scopes text[] := p_credential.scopes;
  v_function text;
begin
  if p_credential.scopes_from <> 'credential' then
    select source.function_name into strict v_function
    from platform.scope_sources as source where source.name = p_credential.scopes_from;
    -- Only our own functions: the call runs with the rights of selo_system.
    if not exists (
      select from pg_catalog.pg_proc as source
      where source.oid = to_regprocedure(v_function || '(uuid, text, uuid)') and source.proowner = 'selo_owner'::regrole
    ) then
      raise exception 'there is no function % of selo_owner', v_function;
    end if;
    execute format('select %s($1, $2, $3)', v_function) into v_scopes
      using p_credential.tenant_id, p_credential.environment, p_credential.actor_id;
  end if;
  return (
    select coalesce(array_agg(scope.name order by scope.name), '{}') from platform.scopes as scope
    where scope.name = any (v_scopes) and p_credential.kind = any (scope.kinds)
    -- The function of the source answers null for an unknown actor.
    having v_scopes is not null);
end
$$;
comment on function platform.scopes_of(platform.credentials) is
  'The scopes of a credential of any kind but token, from the source that scopes_from names, without the scopes that the kind may not hold. Null for a credential whose actor is gone. Scopes of tokens: see platform.find_credential.';
revoke execute on function platform.scopes_of(platform.credentials) from public;
grant execute on function platform.scopes_of(platform.credentials) to selo_system;
