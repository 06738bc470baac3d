create or replace function signature.remove_object(p_object_id uuid) returns void
  language sql volatile set search_path = '' as $$
  select platform.add_job('signature__remove_object', json_build_object('object_id', p_object_id)) where p_object_id is not null
$$;
comment on function signature.remove_object(uuid) is
  'Has an object removed from the storage once this transaction has committed. No row may name the object any more. Null does nothing.';
revoke execute on function signature.remove_object(uuid) from public;
