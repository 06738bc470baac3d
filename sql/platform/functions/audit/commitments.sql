create or replace function platform.commitments(p_personal jsonb) returns text
  language sql immutable set search_path = '' as $$
  select coalesce('{' || string_agg(
    to_json(piece.name) || ':"' || platform.commitment(piece.salted) || '"', ',' order by piece.name collate "C") || '}', '{}')
  from jsonb_each(p_personal) as piece (name, salted)
$$;
comment on function platform.commitments(jsonb) is 'The commitments to personal data {name: {salt, value}}, as canonical JSON by name.';
revoke execute on function platform.commitments(jsonb) from public;
grant execute on function platform.commitments(jsonb) to selo_system;
