create or replace function signature.due_participants(p_envelope signature.envelopes) returns setof uuid
  language sql stable set search_path = '' as $$
  with placed as (
    select participant.id, participant.status, participant.role, case
        -- What others fill in is drawn before the first signature with a certificate.
        when p_envelope.signing_order = 'parallel' then
          array[case when p_envelope.field_placement = 'fields' and signature.signs_with_certificate(participant) then '1' else '0' end]
        -- A missing order_index comes last, alone, in the order of creation.
        else array[lpad(coalesce(participant.order_index, 1000)::text, 4, '0'), case when participant.order_index is null then participant.id::text else '' end]
      end collate "C" as place
    from signature.participants as participant
    where participant.tenant_id = p_envelope.tenant_id and participant.envelope_id = p_envelope.id
  ), reached as (
    -- An observador never blocks. Without a participant who blocks, everybody is due.
    select min(placed.place) as place from placed where placed.role <> 'observador' and placed.status <> 'completed'
  )
  select placed.id from placed cross join reached
  where placed.status in ('pending', 'invited', 'viewed') and (placed.place <= reached.place) is not false
$$;
comment on function signature.due_participants(signature.envelopes) is
  'The participants of an envelope whose turn it is, and who have not finished. Parallel: all; where fields are drawn, those who sign with a certificate come after all others. Sequential and mixed: the participants of the first place at which somebody has not finished, and each observador up to that place.';
revoke execute on function signature.due_participants(signature.envelopes) from public;
