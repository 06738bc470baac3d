create or replace function signature.refuse_locked_link(p_participant signature.participants) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if p_participant.locked or signature.used_up_codes(p_participant) >= 3 then
    perform platform.fail(403, 'link_locked', 'Three codes were used up by wrong tries. Ask the sender to remind you: the new mail has a new link.');
  end if;
end
$$;
comment on function signature.refuse_locked_link(signature.participants) is
  '403 link_locked for a participant whose link three used-up codes have locked. The codes are counted as well: a process that died after the last wrong try has not written the lock.';
revoke execute on function signature.refuse_locked_link(signature.participants) from public;
