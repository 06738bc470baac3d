create or replace function platform.record_existing() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_platform constant uuid := '00000000-0000-0000-0000-000000000000';
  v_organization record;
  v_row record;
begin
  perform platform.enter_context(c_platform, 'live', null, null, null);
  for v_row in
    select key.* from platform.platform_keys as key
    where not exists (
      select from platform.audit_events as event
      where event.tenant_id = c_platform and event.environment = 'live' and event.action in ('platform_keys.created', 'platform_keys.rotated')
        and key.key_id in (platform.read_json(event.details) ->> 'key_id', platform.read_json(event.details) ->> 'pq_key_id'))
    order by key.created_at, key.key_id
  loop
    perform platform.record_audit_event('platform_keys.recorded', 'platform', c_platform, jsonb_strip_nulls(jsonb_build_object(
      'environment', v_row.environment, 'algorithm', v_row.algorithm, 'key_id', v_row.key_id,
      'created_at', platform.instant(v_row.created_at), 'retired_at', platform.instant(v_row.retired_at))));
  end loop;

  for v_row in select analyst.id, analyst.tenant_id, analyst.environment from platform.analysts as analyst order by analyst.created_at loop
    perform from platform.analysts as analyst where analyst.id = v_row.id for no key update;
    continue when not found;
    perform platform.enter_context(v_row.tenant_id, v_row.environment, null, null, null);
    perform platform.record_audit_event('analyst.recorded', 'analyst', v_row.id, platform.analyst_state(v_row.id));
  end loop;

  for v_organization in select every.id from platform.list_organizations() as every order by every.id loop
    perform platform.enter_context(v_organization.id, 'live', null, null, null);
    perform platform.record_audit_event('organization.recorded', 'organization', v_organization.id, platform.organization_state(v_organization.id));
    for v_row in
      select old.movements, old.digest from platform.old_ledger_digests(v_organization.id) as old
    loop
      perform platform.record_audit_event('credits.recorded', 'organization', v_organization.id,
        jsonb_build_object('movements', v_row.movements, 'ledger_sha256', v_row.digest));
    end loop;
    for v_row in
      select token.id, token.environment from platform.tokens as token where token.tenant_id = v_organization.id order by token.created_at, token.id
    loop
      perform platform.enter_context(v_organization.id, v_row.environment, null, null, null);
      -- The lock keeps others from revoking the token between the reading and the event.
      perform from platform.tokens as token where token.tenant_id = v_organization.id and token.id = v_row.id for no key update;
      perform platform.record_audit_event('token.recorded', 'token', v_row.id, platform.token_state(v_organization.id, v_row.id));
    end loop;
  end loop;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function platform.record_existing() is
  'Records keys, analysts, organizations, tokens and old movements of credits in their present state. Runs once (platform.begin_audit). The events say nothing about the time before.';
revoke execute on function platform.record_existing() from public;
