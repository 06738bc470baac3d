create or replace function accounts.require_member(p_person_id uuid) returns accounts.memberships
  language plpgsql stable set search_path = '' as $$
declare
  v_member accounts.memberships;
begin
  select membership.* into v_member from accounts.memberships as membership
  where membership.tenant_id = platform.tenant_id() and membership.person_id = p_person_id and membership.removed_at is null;
  if not found then
    perform platform.fail(404, 'not_found', 'The organization has no such member.');
  end if;
  return v_member;
end
$$;
comment on function accounts.require_member(uuid) is 'The membership of a person in the organization of the context. 404 not_found for a person who is not a member.';
revoke execute on function accounts.require_member(uuid) from public;
