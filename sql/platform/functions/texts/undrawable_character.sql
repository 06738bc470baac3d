create or replace function platform.undrawable_character(p_text text) returns text
  language sql immutable set search_path = '' as $$
  -- Nearly all texts have letters of Latin alone. Below U+0250 only control characters cannot be drawn, and other rules judge those.
  select case
    when p_text ~ '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{5}' then 'must not have more than four accents on one letter'
    when p_text ~ '[^\u0001-\u024f]' then (
    select format('must not have the character U+%s (%s), which cannot be drawn in documents',
      regexp_replace(lpad(upper(to_hex(ascii(each.character))), 6, '0'), '^00?(?=.{4})', ''), each.character)
    from string_to_table(p_text, null) with ordinality as each (character, place)
    where ascii(each.character) > 591 and not platform.drawable_characters() @> ascii(each.character)
    order by each.place limit 1) end
$$;
comment on function platform.undrawable_character(text) is
  'The fault of a text with a character that no font of PDFs can show: one of a rare script, of private use, or without a meaning yet; its words name the first such character. Or with a pile of accents, which would reach into other lines. Null for a right text.';
revoke execute on function platform.undrawable_character(text) from public;
