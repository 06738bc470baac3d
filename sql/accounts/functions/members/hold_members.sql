create or replace function accounts.hold_members(p_person_id uuid) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform from accounts.memberships as membership
  where membership.tenant_id = platform.tenant_id() and (
    membership.person_id in (p_person_id, nullif(current_setting('app.actor_id', true), '')::uuid)
    -- Every request that takes an owner away waits here for the others: each of them counts the owners that are left. So does every request
    -- that invites: each of them counts the invitations, also in an organization without an owner.
    or membership.removed_at is null and exists (
      select from accounts.role_scopes as held where held.role = membership.role and held.scope = 'members:manage'))
  order by membership.person_id for no key update;
end
$$;
comment on function accounts.hold_members(uuid) is
  'Locks the memberships of a person, of the caller and of all who may invite, the owners among them, in the organization of the context until the transaction ends. Whatever changes a membership holds this lock, and takes it before that of the person (accounts.hold_person).';
revoke execute on function accounts.hold_members(uuid) from public;
