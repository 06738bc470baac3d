create or replace function signature.wrong_text(p_text text, p_is_line boolean) returns text
  language sql immutable set search_path = '' as $$
  select case
    when p_is_line and p_text ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]' then 'must not have line breaks or other control characters'
    when p_text ~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]' then 'must not have control characters'
    -- They show another order of characters than was written: a name would read as another name.
    when p_text ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]' then 'must not have characters that turn the direction of writing'
    when p_text <> '' and not signature.is_visible(p_text) then 'must not be blank'
    when signature.has_hidden_character(p_text) then 'must not have characters that cannot be seen'
    else platform.undrawable_character(p_text)
  end
$$;
comment on function signature.wrong_text(text, boolean) is
  'The fault of a text that others read: control characters, characters that turn the direction of writing, characters that cannot be seen, characters that PDFs cannot show, or nothing that can be seen. A line has no line breaks either. Null for a right text, and for an empty text: the limits of a parameter say whether it may be empty.';
revoke execute on function signature.wrong_text(text, boolean) from public;
