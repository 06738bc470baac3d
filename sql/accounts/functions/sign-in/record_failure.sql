create or replace function accounts.record_failure(p_action text, p_tenant_id uuid, p_person_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
begin
  begin
    perform platform.enter_context(coalesce(p_tenant_id, platform.uuidv7()), 'live', null, null, null);
    perform platform.record_audit_event(p_action, 'user', coalesce(p_person_id, platform.uuidv7()));
    if p_tenant_id is null then
      -- Takes the event back. Nobody sees this error.
      raise exception using errcode = 'SE002';
    end if;
  exception
    when sqlstate 'SE002' then null;
  end;
  perform platform.restore_context(c_saved);
end
$$;
comment on function accounts.record_failure(text, uuid, uuid) is
  'Records in an organization that a sign-in of a person failed, or that somebody asked for another password. Without an organization does the same work and leaves nothing: the time that an answer takes does not tell whether somebody has the address.';
revoke execute on function accounts.record_failure(text, uuid, uuid) from public;
