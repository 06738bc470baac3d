create or replace function signature.refuse_without_certificate(p_participant signature.participants) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if not signature.signs_with_certificate(p_participant) then
    perform platform.fail(409, 'conflict', 'You do not sign with a certificate.');
  elsif p_participant.status in ('completed', 'declined') then
    perform platform.fail(409, 'conflict', format('You have already %s.', case p_participant.status when 'declined' then 'declined' else 'finished' end));
  end if;
end
$$;
comment on function signature.refuse_without_certificate(signature.participants) is
  '409 conflict for a participant who does not sign with a certificate, or has finished or declined.';
revoke execute on function signature.refuse_without_certificate(signature.participants) from public;
