create or replace function accounts.sign_out_user(p_email text) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  v_person accounts.people;
begin
  select known.* into v_person from accounts.people as known where lower(known.email) = lower(p_email);
  if not found then
    perform platform.fail(404, 'not_found', 'There is no person with this address.');
  end if;
  return accounts.end_sessions(v_person.id, p_by_person => false);
end
$$;
comment on function accounts.sign_out_user(text) is 'Ends all sessions of a person, in all organizations. Answers their number. 404 not_found for an unknown address.';
revoke execute on function accounts.sign_out_user(text) from public;
