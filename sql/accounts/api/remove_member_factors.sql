create function api.remove_member_factors(p_id uuid) returns api.members
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_answer api.members;
begin
  perform platform.require_scope('members:manage');
  perform accounts.hold_members(p_id);
  perform accounts.require_member(p_id);
  perform accounts.hold_person(p_id);
  perform accounts.require_power_over_factors(p_id);
  if accounts.factor_of(p_id) is null then
    perform platform.fail(409, 'conflict', 'The member has no second factor.');
  end if;
  perform accounts.remove_factors(p_id);
  select answer.* into v_answer from api.members as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.remove_member_factors(uuid) is
  E'@param id The member.\nTakes the authenticator app, the recovery codes and the passkeys off a member who has lost them, so that the password alone signs in, and ends the member''s sessions. An admin does so for accountants and members, an owner for everybody but the owner, also for other owners: 403 forbidden. A person counts in every organization: who belongs to another one, too, needs an operator (`selo user reset --factors`). 409 conflict for a member without a second factor. For people who are signed in.';
revoke execute on function api.remove_member_factors(uuid) from public;
