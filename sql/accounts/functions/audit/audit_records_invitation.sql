create or replace function accounts.audit_records_invitation(p_tenant_id uuid)
  returns table (tenant_id uuid, environment text, id uuid, record_sha256 text)
  language sql stable set search_path = '' as $$
  select invitation.tenant_id, 'live', invitation.id, accounts.invitation_record(invitation)
  from accounts.invitations as invitation where p_tenant_id is null or invitation.tenant_id = p_tenant_id
$$;
comment on function accounts.audit_records_invitation(uuid) is 'The invitations that wait, as records. See platform.audit_check_records.';
revoke execute on function accounts.audit_records_invitation(uuid) from public;
grant execute on function accounts.audit_records_invitation(uuid) to selo_system;
