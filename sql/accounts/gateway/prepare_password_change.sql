create function gateway.prepare_password_change(p_session_sha256 text, p_network text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_person accounts.people;
  v_wait integer;
begin
  perform platform.require_token();
  v_person := accounts.read_person((accounts.require_session(p_session_sha256)).person_id);
  v_wait := accounts.seconds_to_wait(v_person.email, p_network);
  if v_wait is not null then
    return json_build_object('retry_after', v_wait);
  end if;
  return json_build_object('email', v_person.email, 'name', v_person.name,
    'present', json_build_object('salt', encode(v_person.password_salt, 'hex'), 'memory', v_person.password_memory,
      'passes', v_person.password_passes, 'parallelism', v_person.password_parallelism),
    'new', (select to_json(parameters) from accounts.password_parameters() as parameters));
end
$$;
comment on function gateway.prepare_password_change(text, text) is
  'First step of changePassword: answers what judging and hashing need, {email, name, present: {salt (hexadecimal), memory, passes, parallelism}, new: {memory, passes, parallelism}}, or {retry_after} after too many failures.';
revoke execute on function gateway.prepare_password_change(text, text) from public;
