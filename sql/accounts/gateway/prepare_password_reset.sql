create function gateway.prepare_password_reset(p_link_sha256 text, p_network text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_wait constant integer := accounts.seconds_to_wait(null, p_network);
begin
  perform platform.allow_anyone();
  if c_wait is not null then
    return json_build_object('retry_after', c_wait);
  end if;
  return (
    select json_build_object('email', person.email, 'name', person.name, 'memory', parameters.memory, 'passes', parameters.passes, 'parallelism', parameters.parallelism)
    from accounts.person_of_link(p_link_sha256) as person cross join accounts.password_parameters() as parameters
    where person.id is not null);
end
$$;
comment on function gateway.prepare_password_reset(text, text) is
  'First step of POST /auth/password-reset/confirm, for the link whose secret has this SHA-256 (hexadecimal): answers what judging and hashing a password needs, {email, name, memory, passes, parallelism}. Null for an unknown link, {retry_after} after too many failures.';
revoke execute on function gateway.prepare_password_reset(text, text) from public;
