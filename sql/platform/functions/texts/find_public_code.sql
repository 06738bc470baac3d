--! owner selo_system
-- Looks across tenants: the function finds the owner of a code.
create or replace function platform.find_public_code(
  p_code text, out code text, out tenant_id uuid, out environment text, out subject_type text, out subject_id uuid
)
  language sql stable security definer set search_path = '' as $$
  select known.code, known.tenant_id, known.environment, known.subject_type, known.subject_id
  from platform.public_codes as known
  -- People write Crockford base32 in several ways: O is 0, and I and L are 1. Case, white space, invisible characters and dashes (Unicode's Dash) do not
  -- matter. canonicalCode in src/web/shell/code-form.tsx does the same in the browser. A test compares the two.
  where known.code = regexp_replace(
    translate(
      regexp_replace(
        platform.visible_text(p_code),
        '[\u002d\u058a\u05be\u1400\u1806\u2010-\u2015\u2053\u207b\u208b\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d'
        '\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d\U00010d6e\U00010ead]',
        '', 'g'),
      -- Only ASCII letters: upper() would also turn U+017F into S.
      'abcdefghijklmnopqrstuvwxyzOIL',
      'ABCDEFGH1JK1MN0PQRSTUVWXYZ011'),
    '^(.{4})(.{4})(.{4})$', '\1-\2-\3')
$$;
comment on function platform.find_public_code(text) is 'The subject of a verification code in any spelling, and the code''s canonical form. All null for an unknown code.';
revoke execute on function platform.find_public_code(text) from public;
grant execute on function platform.find_public_code(text) to selo_owner;
