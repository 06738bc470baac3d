create function gateway.read_invitation(p_link_sha256 text, p_network text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_attempt record;
  v_invitation accounts.invitations;
begin
  perform platform.allow_anyone();
  select counted.* into v_attempt from accounts.count_attempt(null, p_network) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  v_invitation := accounts.find_invitation(p_link_sha256);
  if v_invitation.id is null then
    return json_build_object('refused', true);
  end if;
  perform accounts.uncount_attempt(v_attempt.keys);
  -- The rest of the transaction, which ends here, reads the organization.
  perform platform.enter_context(v_invitation.tenant_id, 'live', null, null, null);
  return (
    select json_build_object('organization', organization.name, 'email', v_invitation.email, 'role', v_invitation.role,
      'known', (accounts.find_person(v_invitation.email)).password_digest is not null)
    from platform.organizations as organization where organization.id = v_invitation.tenant_id);
end
$$;
comment on function gateway.read_invitation(text, text) is
  'POST /auth/invitations/read: what the invitation says whose link has the secret with this SHA-256 (hexadecimal), {organization, email, role, known}. known: the person has a password. Counts the attempt and answers {refused: true} for an unknown link, or {retry_after} after too many failures.';
revoke execute on function gateway.read_invitation(text, text) from public;
