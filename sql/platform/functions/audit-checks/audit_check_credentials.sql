--! owner selo_system
-- Looks across tenants: credentials of all organizations are compared with their actors.
create or replace function platform.audit_check_credentials(p_tenant_id uuid) returns setof platform.audit_fault
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_kind record;
begin
  -- The loop goes by kind and not by service: several services may have actors of one kind.
  for v_kind in
    select kind.name, kind.spans_environments from platform.actor_kinds as kind
    where kind.name in (select hook.name from platform.service_functions('audit_records_') as hook) order by kind.name
  loop
    return query
    with credential as (
      select known.tenant_id, known.actor_id, count(*) as count, array_agg(distinct known.environment) as environments
      from platform.credentials as known where known.kind = v_kind.name and (p_tenant_id is null or known.tenant_id = p_tenant_id)
      group by known.tenant_id, known.actor_id
    ), actor as (
      -- platform.audit_check_records finds a record with two rows.
      select kept.tenant_id, kept.id, array_agg(distinct kept.environment) as environments
      from platform.records_of(v_kind.name, p_tenant_id) as kept group by kept.tenant_id, kept.id
    )
    select 'credentials', coalesce(actor.tenant_id, credential.tenant_id), actor.environments[1], v_kind.name,
      coalesce(actor.id, credential.actor_id), 1::bigint, null::uuid, case
        when actor.id is null then format('the %s that a credential opens does not exist', v_kind.name)
        when v_kind.name = 'token' and credential.count is null then 'no credential opens the token'
        when v_kind.name = 'token' and credential.count <> 1 then format('%s credentials open the token', credential.count)
        else format('a credential opens the %s in another environment', v_kind.name) end
    from actor
    full join credential on credential.tenant_id = actor.tenant_id and credential.actor_id = actor.id
    where actor.id is null
      -- A token has one credential. A user has one credential for each session, and no credential after logging out.
      or v_kind.name = 'token' and credential.count is distinct from 1
      -- An actor of both environments has credentials of both. The digest of the actor's record covers the environment of each credential.
      or not v_kind.spans_environments and not credential.environments <@ actor.environments;
  end loop;
  return query
  select 'credentials', credential.tenant_id, credential.environment, coalesce(credential.kind, 'credential'), credential.actor_id, 1::bigint, null::uuid,
    'the credential is of a kind that no service makes'
  from platform.credentials as credential
  where (p_tenant_id is null or credential.tenant_id = p_tenant_id)
    and (credential.kind in (select hook.name from platform.service_functions('audit_records_') as hook)) is not true;
end
$$;
comment on function platform.audit_check_credentials(uuid) is
  'Finds credentials without an actor, credentials of another environment than their actor''s (where the kind has one environment), and credentials of a kind without records. A service that makes credentials of a kind has a function audit_records_<kind>. Also finds tokens without a credential, or with several.';
revoke execute on function platform.audit_check_credentials(uuid) from public;
grant execute on function platform.audit_check_credentials(uuid) to selo_owner;
