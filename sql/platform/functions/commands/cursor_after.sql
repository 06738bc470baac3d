create or replace function platform.cursor_after(p_list text, variadic p_key text[]) returns text
  language sql immutable set search_path = '' as $$
  -- base64url of RFC 4648, without padding.
  select translate(encode(convert_to(p_list || ' ' || array_to_string(p_key, ' '), 'UTF8'), 'base64'), E'+/=\n', '-_')
$$;
comment on function platform.cursor_after(text, text[]) is
  'The cursor from which a list goes on after the item with this key. The cursor holds the name of the list and the key, and platform.read_cursor reads the cursor. Callers treat the cursor as an opaque text. A cursor gives no right: it only says where a page of a list begins, and the reader must have access to that list.';
revoke execute on function platform.cursor_after(text, text[]) from public;
