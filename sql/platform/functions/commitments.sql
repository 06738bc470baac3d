create or replace function platform.commitments(p_personal jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(piece.name, encode(sha256(
      decode(piece.salted ->> 'salt', 'hex') || convert_to(piece.salted ->> 'value', 'UTF8')), 'hex')), '{}')
  from jsonb_each(p_personal) as piece (name, salted)
$$;
comment on function platform.commitments(jsonb) is
  'What the chain holds of personal data {name: {salt, value}}: SHA-256 over salt and value, hexadecimal, by name. Who has neither salt nor value learns nothing from it.';
revoke execute on function platform.commitments(jsonb) from public;
