create or replace function signature.seats_lack(p_signing_order text, p_seats signature.seat[])
  returns table (code text, participant_id uuid, member text, message text)
  language sql stable set search_path = '' as $$
  select 'envelope_not_sendable', null::uuid, null::text, 'must have at least one signatario'
  where not exists (select from unnest(p_seats) as seat where seat.role = 'signatario')
  union all
  -- A certificate authenticates, whatever the auth_method: what only a provider would ask for may be missing.
  select 'envelope_not_sendable', seat.id, lack.member, lack.message
  from unnest(p_seats) as seat
  cross join lateral signature.numbers_lack(seat.auth_method, seat.has_cpf, seat.has_ssn_last4 or seat.modality = 'qualificada', seat.has_phone) as lack
  union all
  select lack.code, seat.id, lack.member, lack.message
  from unnest(p_seats) as seat
  cross join lateral (values
    -- An observador never blocks, so its place need not be its own.
    ('envelope_not_sendable', 'order_index', 'must differ from the order_index of every other participant of a sequential envelope',
      p_signing_order = 'sequential' and seat.role <> 'observador' and exists (
        select from unnest(p_seats) as other where other.id <> seat.id and other.role <> 'observador' and other.order_index = seat.order_index)),
    ('auth_method_unavailable', 'auth_method', format('%s is not available', seat.auth_method),
      seat.modality <> 'qualificada' and not signature.is_available(seat.auth_method, platform.environment())),
    ('envelope_not_sendable', 'modality', 'is for a signatario or a testemunha alone', seat.modality = 'qualificada' and seat.role not in ('signatario', 'testemunha')),
    ('auth_method_unavailable', 'modality', format('%s is not available', seat.modality),
      not signature.is_available(seat.modality, platform.environment()) or seat.modality = 'qualificada' and not signature.trusts_authorities())
  ) as lack (code, member, message, is_lacking)
  where lack.is_lacking
$$;
comment on function signature.seats_lack(text, signature.seat[]) is
  'What participants lack for their envelope to be sent. Without a participant_id the lack is of all of them together. No row for participants who can be invited.';
revoke execute on function signature.seats_lack(text, signature.seat[]) from public;
