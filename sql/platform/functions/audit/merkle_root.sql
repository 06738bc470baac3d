create or replace function platform.merkle_root(p_leaves bytea[]) returns bytea
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  v_level bytea[];
begin
  select array_agg(sha256('\x00'::bytea || leaf.value) order by leaf.place) into v_level
  from unnest(p_leaves) with ordinality as leaf (value, place);
  if v_level is null then
    return sha256(''::bytea);
  end if;
  while cardinality(v_level) > 1 loop
    -- Pairs are hashed, and an odd node goes up unchanged. The result is the tree of the RFC.
    select array_agg(case when pair.right_hand is null then pair.left_hand
        else sha256('\x01'::bytea || pair.left_hand || pair.right_hand) end order by pair.place) into v_level
    from (
      select node.value as left_hand, lead(node.value) over (order by node.place) as right_hand, node.place
      from unnest(v_level) with ordinality as node (value, place)
    ) as pair
    where pair.place % 2 = 1;
  end loop;
  return v_level[1];
end
$$;
comment on function platform.merkle_root(bytea[]) is
  'Root of the Merkle tree over these leaves in their order: the Merkle Tree Hash of RFC 9162 §2.1.1 with SHA-256.';
revoke execute on function platform.merkle_root(bytea[]) from public;
grant execute on function platform.merkle_root(bytea[]) to selo_system;
