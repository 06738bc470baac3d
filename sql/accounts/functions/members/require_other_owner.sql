create or replace function accounts.require_other_owner(p_member accounts.memberships) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  if p_member.role = 'owner' and not exists (
    select from accounts.memberships as other
    where other.tenant_id = p_member.tenant_id and other.person_id <> p_member.person_id and other.role = 'owner' and other.removed_at is null)
  then
    return platform.fail(409, 'last_owner', 'The organization keeps at least one owner. Make another member an owner first.');
  end if;
  return true;
end
$$;
comment on function accounts.require_other_owner(accounts.memberships) is
  'True unless a member is the last owner of the organization: 409 last_owner. Asked after accounts.hold_members, before a member leaves or takes another role.';
revoke execute on function accounts.require_other_owner(accounts.memberships) from public;
