create function gateway.prepare_proof(p_network text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  v_person accounts.people;
  v_wait integer;
begin
  perform platform.require_token();
  v_person := accounts.read_person(accounts.require_person());
  v_wait := accounts.seconds_to_wait(v_person.email, p_network);
  if v_wait is not null then
    return json_build_object('retry_after', v_wait);
  end if;
  return json_build_object('salt', encode(v_person.password_salt, 'hex'), 'memory', v_person.password_memory, 'passes', v_person.password_passes,
    'parallelism', v_person.password_parallelism);
end
$$;
comment on function gateway.prepare_proof(text) is
  'First step of what asks a person who has signed in for the password once more: answers what Argon2id needs, {salt (hexadecimal), memory, passes, parallelism}, or {retry_after} after too many failures.';
revoke execute on function gateway.prepare_proof(text) from public;
