create or replace function signature.seats_cost(p_seats signature.seat[], out signature bigint, out icp_brasil bigint)
  language sql immutable set search_path = '' as $$
  select count(*) filter (where seat.role = 'signatario' and seat.modality <> 'qualificada'), count(*) filter (where seat.modality = 'qualificada')
  from unnest(p_seats) as seat
$$;
comment on function signature.seats_cost(signature.seat[]) is
  'The credits that inviting participants takes: a signature credit for each signatario who does not sign with modality qualificada, and an ICP-Brasil credit for each participant who does.';
revoke execute on function signature.seats_cost(signature.seat[]) from public;
