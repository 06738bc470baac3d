create or replace function signature.envelope_cost(p_id uuid, out signature bigint, out icp_brasil bigint)
  language sql stable set search_path = '' as $$
  select cost.signature, cost.icp_brasil
  from signature.seats_cost(array(
    select row(participant.id, participant.role, null, null, participant.modality, null, null, null)::signature.seat
    from signature.participants as participant where participant.tenant_id = platform.tenant_id() and participant.envelope_id = p_id)) as cost
$$;
comment on function signature.envelope_cost(uuid) is 'The credits that sending an envelope takes. See signature.seats_cost.';
revoke execute on function signature.envelope_cost(uuid) from public;
