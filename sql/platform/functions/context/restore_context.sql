create or replace function platform.restore_context(p_saved text[]) returns void
  language sql volatile set search_path = '' as $$
  select platform.enter_context(nullif(p_saved[1], '')::uuid, nullif(p_saved[2], ''), nullif(p_saved[3], ''), nullif(p_saved[4], '')::uuid,
    string_to_array(nullif(p_saved[5], ''), ' '))
$$;
comment on function platform.restore_context(text[]) is 'Sets the actor that platform.saved_context answered.';
revoke execute on function platform.restore_context(text[]) from public;
