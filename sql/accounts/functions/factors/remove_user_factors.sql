create or replace function accounts.remove_user_factors(p_email text) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  v_person accounts.people;
begin
  v_person := accounts.hold_person((accounts.find_person(p_email)).id);
  if v_person.id is null then
    perform platform.fail(404, 'not_found', 'There is no person with this address.');
  elsif accounts.factor_of(v_person.id) is null then
    return false;
  end if;
  perform accounts.remove_factors(v_person.id, false);
  return true;
end
$$;
comment on function accounts.remove_user_factors(text) is
  'Takes the second factors of a person away, with the recovery codes and the passkeys, as an operator. False for a person without one. 404 not_found for an unknown address.';
revoke execute on function accounts.remove_user_factors(text) from public;
