--! owner selo_system
-- Looks across tenants: credentials of all organizations are compared with their actors.
create or replace function platform.audit_check_credentials(p_tenant_id uuid) returns setof platform.audit_fault
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_kind record;
begin
  for v_kind in
    select hook.service, hook.name from platform.service_functions('audit_records_') as hook
    join platform.actor_kinds as kind on kind.name = hook.name
  loop
    return query execute format($sql$
      with credential as (
        select known.tenant_id, known.actor_id, count(*) as count, array_agg(distinct known.environment) as environments
        from platform.credentials as known where known.kind = $2 and ($1 is null or known.tenant_id = $1)
        group by known.tenant_id, known.actor_id
      ), actor as (
        select distinct kept.tenant_id, kept.environment, kept.id from %I.%I($1) as kept
      )
      select 'credentials', coalesce(actor.tenant_id, credential.tenant_id), actor.environment, $2, coalesce(actor.id, credential.actor_id),
        1::bigint, null::uuid, case
          when actor.id is null then format('the %%s that a credential opens is not there', $2)
          when $2 = 'token' and credential.count is null then 'no credential opens the token'
          when $2 = 'token' and credential.count <> 1 then format('%%s credentials open the token', credential.count)
          else format('a credential opens the %%s in another environment', $2) end
      from actor
      full join credential on credential.tenant_id = actor.tenant_id and credential.actor_id = actor.id
      where actor.id is null
        -- A token has one; who logs in has a credential for each session, and none between them.
        or $2 = 'token' and credential.count is distinct from 1
        or credential.environments is not null and credential.environments is distinct from array[actor.environment]
    $sql$, v_kind.service, 'audit_records_' || v_kind.name) using p_tenant_id, v_kind.name;
  end loop;
  return query
  select 'credentials', credential.tenant_id, credential.environment, coalesce(credential.kind, 'credential'), credential.actor_id, 1::bigint, null::uuid,
    'a credential is of a kind that nothing here makes'
  from platform.credentials as credential
  where (p_tenant_id is null or credential.tenant_id = p_tenant_id)
    and (credential.kind in (select hook.name from platform.service_functions('audit_records_') as hook)) is not true;
end
$$;
comment on function platform.audit_check_credentials(uuid) is
  'Credentials of no actor, of another environment than their actor''s, or of a kind without records (a service that makes credentials of a kind has a function audit_records_<kind>), and tokens that more or less than one credential opens.';
revoke execute on function platform.audit_check_credentials(uuid) from public;
grant execute on function platform.audit_check_credentials(uuid) to selo_owner;
