-- Canonical JSON has whole numbers only: languages write fractions differently. A millionth of a drawing is below what a screen shows.
create or replace function signature.canonical_signature(p_signature jsonb) returns text
  language sql immutable set search_path = '' as $$
  select platform.canonical_json(case p_signature ->> 'kind'
    when 'drawn' then jsonb_build_object('kind', 'drawn', 'unit', 'millionth', 'ratio', round((p_signature ->> 'ratio')::numeric * 1000000), 'paths', (
      select jsonb_agg(drawn.points order by drawn.place)
      from jsonb_array_elements(p_signature -> 'paths') with ordinality as path (points, place)
      cross join lateral (
        select path.place, jsonb_agg(jsonb_build_array(round((point.at ->> 0)::numeric * 1000000), round((point.at ->> 1)::numeric * 1000000)) order by point.place) as points
        from jsonb_array_elements(path.points) with ordinality as point (at, place)
      ) as drawn))
    else p_signature end)
$$;
comment on function signature.canonical_signature(jsonb) is
  'The canonical JSON of a signature, which the evidence commits to. The numbers of a drawn signature are millionths there. Null for no signature.';
revoke execute on function signature.canonical_signature(jsonb) from public;
