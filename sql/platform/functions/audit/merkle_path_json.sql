create or replace function platform.merkle_path_json(p_index bigint, p_size bigint, p_hashes bytea[]) returns json
  language sql immutable set search_path = '' as $$
  select json_build_object('index', p_index, 'size', p_size, 'hashes', (
    select coalesce(json_agg(encode(node.hash, 'hex') order by node.place), '[]')
    from unnest(p_hashes) with ordinality as node (hash, place)))
$$;
comment on function platform.merkle_path_json(bigint, bigint, bytea[]) is 'A path of platform.merkle_path as JSON: {index, size, hashes}, in hexadecimal.';
revoke execute on function platform.merkle_path_json(bigint, bigint, bytea[]) from public;
grant execute on function platform.merkle_path_json(bigint, bigint, bytea[]) to selo_system;
