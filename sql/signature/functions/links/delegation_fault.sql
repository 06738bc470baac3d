create or replace function signature.delegation_fault(p_envelope signature.envelopes, p_participant signature.participants) returns text
  language sql immutable set search_path = '' as $$
  select case
    when not p_envelope.allow_delegation then 'The sender does not allow participants to pass their turn on.'
    when p_participant.role = 'observador' then 'An observador is only informed and has no turn to pass on.'
    when p_participant.modality = 'qualificada' then 'A turn that ends with a certificate cannot be passed on.'
    when p_participant.hands >= 3 then 'This turn was passed on three times, and stays where it is.'
  end
$$;
comment on function signature.delegation_fault(signature.envelopes, signature.participants) is
  'Why a participant whose turn it is may not hand the turn to somebody else. Null for one who may.';
revoke execute on function signature.delegation_fault(signature.envelopes, signature.participants) from public;
