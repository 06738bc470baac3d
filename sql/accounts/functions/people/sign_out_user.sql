create or replace function accounts.sign_out_user(p_email text) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  c_person_id constant uuid := (accounts.find_person(p_email)).id;
begin
  if c_person_id is null then
    perform platform.fail(404, 'not_found', 'There is no person with this address.');
  end if;
  return accounts.end_sessions(c_person_id, p_by_person => false);
end
$$;
comment on function accounts.sign_out_user(text) is 'Ends all sessions of a person, in all organizations. Answers their number. 404 not_found for an unknown address.';
revoke execute on function accounts.sign_out_user(text) from public;
