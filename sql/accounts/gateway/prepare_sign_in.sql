create function gateway.prepare_sign_in(p_email text, p_network text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_wait constant integer := accounts.seconds_to_wait(p_email, p_network);
begin
  perform platform.allow_anyone();
  if c_wait is not null then
    return json_build_object('retry_after', c_wait);
  end if;
  return (
    select json_build_object(
      'salt', encode(coalesce(person.password_salt, substring(accounts.keyed_digest('salt', accounts.email_key(p_email)) from 1 for 16)), 'hex'),
      'memory', coalesce(person.password_memory, parameters.memory), 'passes', coalesce(person.password_passes, parameters.passes),
      'parallelism', coalesce(person.password_parallelism, parameters.parallelism))
    from accounts.password_parameters() as parameters cross join accounts.find_person(p_email) as person);
end
$$;
comment on function gateway.prepare_sign_in(text, text) is
  E'@param email {1..254} E-mail address of the person. Case does not matter.\nFirst step of POST /auth/sign-in: answers what Argon2id needs, {salt (hexadecimal), memory, passes, parallelism}. They are invented for an address that nobody signs in with, always the same ones. {retry_after} after too many failures.';
revoke execute on function gateway.prepare_sign_in(text, text) from public;
