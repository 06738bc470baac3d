create or replace function accounts.record_member_event(
  p_action text, p_tenant_id uuid, p_person_id uuid, p_details jsonb, p_by_person boolean default true
)
  returns void language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  c_address constant text := current_setting('app.address', true);
  c_agent constant text := current_setting('app.agent', true);
  v_membership accounts.memberships;
begin
  if nullif(c_saved[3], '') is null and p_by_person then
    perform platform.enter_context(p_tenant_id, 'live', 'user', p_person_id, null);
  else
    perform accounts.enter_tenant(p_tenant_id);
  end if;
  select membership.* into v_membership from accounts.memberships as membership
  where membership.tenant_id = p_tenant_id and membership.person_id = p_person_id;
  -- The digest covers the person, so a former organization has the event, too. Where the person is now is none of its business.
  if v_membership.removed_at is not null and c_saved[1] is distinct from p_tenant_id::text then
    perform set_config('app.address', '', true), set_config('app.agent', '', true);
  end if;
  perform platform.record_audit_event(p_action, 'user', p_person_id, p_details || jsonb_build_object('record_sha256', accounts.member_record(v_membership)));
  perform set_config('app.address', coalesce(c_address, ''), true), set_config('app.agent', coalesce(c_agent, ''), true);
  perform platform.restore_context(c_saved);
end
$$;
comment on function accounts.record_member_event(text, uuid, uuid, jsonb, boolean) is
  'Records what was done to a person''s membership of an organization, with the digest of the membership as it is now. The caller of the transaction did it. Where the transaction has no caller, the person did it (as in a sign-in), or, without p_by_person, the operator. The caller of this function holds the lock of the person, so no other transaction changes what the digest covers. An organization that the person has left learns no address.';
revoke execute on function accounts.record_member_event(text, uuid, uuid, jsonb, boolean) from public;
