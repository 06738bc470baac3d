create or replace function platform.merkle_path(p_leaves bytea, p_index bigint, out hashes bytea[], out root bytea)
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  v_level bytea := p_leaves;
  v_index bigint := p_index;
  v_size bigint := octet_length(p_leaves) / 32;
  v_pairs bytea;
begin
  if p_index not between 0 and v_size - 1 then
    return;
  end if;
  hashes := '{}';
  while v_size > 1 loop
    -- An odd node goes up unchanged, and has no sibling there.
    if v_index # 1 < v_size then
      hashes := hashes || substring(v_level, ((v_index # 1) * 32 + 1)::integer, 32);
    end if;
    -- One text of bytes and no array: a piece of it is found without reading those before it.
    select string_agg(sha256('\x01'::bytea || substring(v_level, pair.place * 64 + 1, 64)), ''::bytea order by pair.place) into v_pairs
    from generate_series(0, (v_size / 2 - 1)::integer) as pair (place);
    v_level := v_pairs || substring(v_level, ((v_size / 2) * 64 + 1)::integer);
    v_index := v_index / 2;
    v_size := (v_size + 1) / 2;
  end loop;
  root := v_level;
end
$$;
comment on function platform.merkle_path(bytea, bigint) is
  'The path from a leaf of a Merkle tree to its root: the inclusion proof of RFC 9162 §2.1.3 with SHA-256, from the leaf up, and the root. p_leaves are the hashes of all leaves in their order, 32 bytes each; p_index counts from 0. Null for a leaf that is not there.';
revoke execute on function platform.merkle_path(bytea, bigint) from public;
grant execute on function platform.merkle_path(bytea, bigint) to selo_system;
