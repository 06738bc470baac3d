create or replace function platform.cursor_after(p_list text, variadic p_key text[]) returns text
  language sql immutable set search_path = '' as $$
  -- base64url of RFC 4648, without padding.
  select translate(encode(convert_to(p_list || ' ' || array_to_string(p_key, ' '), 'UTF8'), 'base64'), E'+/=\n', '-_')
$$;
comment on function platform.cursor_after(text, text[]) is
  'The cursor that a list goes on from after the item of this key: the name of the list and the key, which platform.read_cursor reads. Callers take it as it is. It gives no right: it says where a page begins in a list that its reader may see.';
revoke execute on function platform.cursor_after(text, text[]) from public;
