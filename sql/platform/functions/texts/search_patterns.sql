-- Texts are stored as they were given. macOS writes an accent as a character behind its letter (NFD), most others write one character (NFC). Each form is a
-- pattern of its own, which the trigram indexes serve: an index of normalized texts would cost every insertion.
create or replace function platform.search_patterns(p_search text) returns text[]
  language sql immutable strict parallel safe set search_path = '' as $$
  select array_agg(distinct '%' || replace(replace(replace(spelled.text, '\', '\\'), '%', '\%'), '_', '\_') || '%')
  from (values (p_search), (normalize(p_search, nfc)), (normalize(p_search, nfd))) as spelled (text)
$$;
comment on function platform.search_patterns(text) is
  'Patterns of ILIKE for texts that contain a text literally, whichever way its accents are written: as given, as NFC and as NFD. One pattern where these are equal.';
revoke execute on function platform.search_patterns(text) from public;
grant execute on function platform.search_patterns(text) to selo_system;
