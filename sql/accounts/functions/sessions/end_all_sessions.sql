create or replace function accounts.end_all_sessions() returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  v_person_id uuid;
  v_ended integer := 0;
begin
  for v_person_id in select every from accounts.signed_in_people() as every loop
    v_ended := v_ended + accounts.end_sessions(v_person_id, p_by_person => false);
  end loop;
  perform accounts.delete_links('infinity');
  perform accounts.end_old_invitations('infinity');
  return v_ended;
end
$$;
comment on function accounts.end_all_sessions() is
  'Ends the sessions of all people, and deletes all links and invitations: a restored database opens to nobody who was signed in when the backup was made. Answers the number of sessions.';
revoke execute on function accounts.end_all_sessions() from public;
