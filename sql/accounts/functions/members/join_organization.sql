create or replace function accounts.join_organization(p_tenant_id uuid, p_person_id uuid, p_role text, p_by_person boolean default true) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  v_is_new boolean;
begin
  insert into accounts.memberships as membership (tenant_id, person_id, role) values (p_tenant_id, p_person_id, p_role)
  on conflict (tenant_id, person_id) do update set role = excluded.role, joined_at = excluded.joined_at, removed_at = null
    where membership.removed_at is not null
  -- A row that this statement inserted has no former version.
  returning membership.xmax = 0 into v_is_new;
  if not found then
    perform platform.fail(409, 'conflict', 'The person belongs to the organization already.');
  end if;
  perform accounts.record_member_event(case when v_is_new then 'user.joined' else 'user.rejoined' end,
    p_tenant_id, p_person_id, jsonb_build_object('role', p_role), p_by_person);
end
$$;
comment on function accounts.join_organization(uuid, uuid, text, boolean) is
  'Makes a person a member of an organization, also one who was a member before. 409 conflict for a member. The caller is in the context of the organization, and holds the locks of the members and of the person.';
revoke execute on function accounts.join_organization(uuid, uuid, text, boolean) from public;
