create or replace function signature.envelope_cost(p_id uuid, out signature bigint, out icp_brasil bigint)
  language sql stable set search_path = '' as $$
  select count(*) filter (where participant.role = 'signatario' and participant.modality <> 'qualificada'),
    count(*) filter (where participant.modality = 'qualificada')
  from signature.participants as participant where participant.tenant_id = platform.tenant_id() and participant.envelope_id = p_id
$$;
comment on function signature.envelope_cost(uuid) is
  'The credits that sending an envelope takes: a signature credit for each signatario who does not sign with modality qualificada, and an ICP-Brasil credit for each participant who does.';
revoke execute on function signature.envelope_cost(uuid) from public;
