create or replace function signature.refuse_locked_link(p_participant signature.participants, p_counts_tries boolean default true) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if p_participant.locked or p_counts_tries and signature.is_used_up(p_participant) then
    perform platform.fail(403, 'link_locked', 'Too many wrong codes or answers were tried. Ask the sender to remind you: the new mail has a new link.');
  end if;
end
$$;
comment on function signature.refuse_locked_link(signature.participants, boolean) is
  '403 link_locked for a participant whose link wrong codes or answers have locked. The tries are counted as well: a process that died after the last wrong try has not written the lock. p_counts_tries is false after a right code, whose own try is counted already.';
revoke execute on function signature.refuse_locked_link(signature.participants, boolean) from public;
