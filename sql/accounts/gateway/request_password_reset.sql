create function gateway.request_password_reset(p_email text, p_network text, p_link_id uuid, p_link_sha256 text) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_attempt record;
  v_person accounts.people;
  v_tenant_id uuid;
begin
  perform platform.allow_anyone();
  select counted.* into v_attempt from accounts.count_attempt(p_email, p_network, true) as counted;
  if v_attempt.wait_seconds is not null then
    return json_build_object('retry_after', v_attempt.wait_seconds);
  end if;
  v_person := accounts.hold_person((accounts.find_person(p_email)).id);
  v_tenant_id := accounts.last_organization_of(v_person.id);
  perform accounts.record_failure('user.reset_requested', v_tenant_id, v_person.id);
  -- The same rows for every address: a job, which nobody waits for, finds out whose link it is.
  perform accounts.add_link(p_link_id, v_person.id, p_link_sha256, clock_timestamp() + interval '1 hour', false);
  perform platform.add_job('accounts__mail_password_link', json_build_object('link_id', p_link_id));
  return json_build_object();
end
$$;
comment on function gateway.request_password_reset(text, text, uuid, text) is
  E'@param email {1..254} E-mail address of the person. Case does not matter.\n@param link_sha256 {..64, /^[0-9a-f]{64}$/ must be 64 lowercase hexadecimal digits} SHA-256 of the secret of the link.\nPOST /auth/password-reset: keeps a link of an hour, closed, and has it mailed. The link opens when a worker, which has derived the same secret, has composed the mail: neither login alone makes a link that opens. Does the same, and answers {}, for an address that nobody has. {retry_after} after too many requests.';
revoke execute on function gateway.request_password_reset(text, text, uuid, text) from public;
