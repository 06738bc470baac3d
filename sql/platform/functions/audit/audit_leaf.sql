create or replace function platform.audit_leaf(p_leaf platform.audit_seal_leaves) returns bytea
  language sql immutable set search_path = '' as $$
  select uuid_send(p_leaf.subject_id) || int8send(p_leaf.seq) || p_leaf.hash
$$;
comment on function platform.audit_leaf(platform.audit_seal_leaves) is
  'The head of a chain as a leaf of the organization''s tree: subject id (16 bytes), place (8 bytes, big-endian) and hash (32 bytes).';
revoke execute on function platform.audit_leaf(platform.audit_seal_leaves) from public;
grant execute on function platform.audit_leaf(platform.audit_seal_leaves) to selo_system;
