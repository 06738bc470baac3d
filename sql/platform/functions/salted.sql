create or replace function platform.salted(p_personal jsonb) returns jsonb
  language sql volatile set search_path = '' as $$
  select jsonb_object_agg(piece.name, jsonb_build_object(
      'salt', encode(extensions.gen_random_bytes(16), 'hex'), 'value', piece.value))
  from jsonb_each_text(p_personal) as piece (name, value)
  where piece.value is not null
$$;
comment on function platform.salted(jsonb) is
  'Personal data {name: text} with a random salt for each piece, {name: {salt, value}}; null when there is none.';
revoke execute on function platform.salted(jsonb) from public;
