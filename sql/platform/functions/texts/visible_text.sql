-- The classes are JavaScript's \s and Unicode's Default_Ignorable_Code_Point. canonicalCode in src/web/shell/code-form.tsx leaves out the same. A test compares the two.
create or replace function platform.visible_text(p_text text) returns text
  language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(p_text,
    '[\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
    '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164'
    '\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
    '', 'g')
$$;
comment on function platform.visible_text(text) is
  'A text without white space and without characters that are not seen, such as the soft hyphen and the zero-width space. People paste both along with a code or a digest.';
revoke execute on function platform.visible_text(text) from public;
grant execute on function platform.visible_text(text) to selo_system;
