create function gateway.prepare_invitation(p_link_sha256 text, p_network text) returns json
  language plpgsql stable security definer set search_path = '' as $$
declare
  c_invitation constant accounts.invitations := accounts.find_invitation(p_link_sha256);
  c_wait constant integer := accounts.seconds_to_wait(c_invitation.email, p_network);
begin
  perform platform.allow_anyone();
  if c_wait is not null then
    return json_build_object('retry_after', c_wait);
  end if;
  return (
    select json_build_object('email', c_invitation.email, 'name', person.name, 'salt', encode(person.password_salt, 'hex'),
      'memory', coalesce(person.password_memory, parameters.memory), 'passes', coalesce(person.password_passes, parameters.passes),
      'parallelism', coalesce(person.password_parallelism, parameters.parallelism))
    from accounts.password_parameters() as parameters cross join accounts.find_person(c_invitation.email) as person
    where c_invitation.id is not null);
end
$$;
comment on function gateway.prepare_invitation(text, text) is
  'First step of POST /auth/invitations/accept, for the link whose secret has this SHA-256 (hexadecimal): answers what Argon2id needs, {email, name, salt (hexadecimal), memory, passes, parallelism}. salt is null for a person without a password, who sets one. Null for an unknown link, {retry_after} after too many failures.';
revoke execute on function gateway.prepare_invitation(text, text) from public;
