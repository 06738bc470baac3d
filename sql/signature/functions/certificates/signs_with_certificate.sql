create or replace function signature.signs_with_certificate(p_participant signature.participants) returns boolean
  language sql immutable set search_path = '' as $$
  select p_participant.modality = 'qualificada' and p_participant.role in ('signatario', 'testemunha')
$$;
comment on function signature.signs_with_certificate(signature.participants) is 'Whether a participant signs with a certificate. It also authenticates the participant.';
revoke execute on function signature.signs_with_certificate(signature.participants) from public;
