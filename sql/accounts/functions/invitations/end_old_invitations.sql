create or replace function accounts.end_old_invitations(p_until timestamptz, p_most integer default null) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  v_invitation accounts.invitations;
  v_ended integer := 0;
begin
  for v_invitation in select every.* from accounts.old_invitations(p_until, p_most) as every loop
    perform accounts.end_invitation('invitation.expired', v_invitation);
    v_ended := v_ended + 1;
  end loop;
  return v_ended;
end
$$;
comment on function accounts.end_old_invitations(timestamptz, integer) is 'Deletes invitations that are over by an instant, of all organizations. Answers their number.';
revoke execute on function accounts.end_old_invitations(timestamptz, integer) from public;
