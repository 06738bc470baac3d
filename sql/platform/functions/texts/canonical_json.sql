-- The canonical text of a JSON value, which signatures and hashes cover. The text is the same as that of canonicalJson in
-- src/verifier/canonical-json.ts and of Python's
-- json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False).
--
-- jsonb::text is not canonical (it orders keys by length and puts spaces), but it writes one string with the same
-- escapes as the others do. Collation "C" on a UTF-8 database compares bytes, which is code point order. A number goes
-- through bigint, so that a fraction ends in an error (22P02) and not in a text that other languages write
-- differently. TypeScript refuses integers beyond 2^53 - 1, so they never reach this function.
--
-- Leaves are written without recursion: a call costs more than a leaf, and evidence is flat. plpgsql, because a call of an SQL function with
-- subqueries takes twice as long.
create or replace function platform.canonical_json(p_value jsonb)
returns text
language plpgsql
immutable
strict
parallel safe
set search_path = ''
as $$
begin
  case jsonb_typeof(p_value)
    when 'object' then
      return (
        select '{' || coalesce(string_agg(
          to_json(member.key)::text || ':' || case jsonb_typeof(member.value)
            when 'object' then platform.canonical_json(member.value)
            when 'array' then platform.canonical_json(member.value)
            when 'number' then member.value::text::bigint::text
            else member.value::text
          end,
          ',' order by member.key collate "C"
        ), '') || '}'
        from jsonb_each(p_value) as member (key, value)
      );
    when 'array' then
      return (
        select '[' || coalesce(string_agg(
          case jsonb_typeof(item.value)
            when 'object' then platform.canonical_json(item.value)
            when 'array' then platform.canonical_json(item.value)
            when 'number' then item.value::text::bigint::text
            else item.value::text
          end,
          ',' order by item.ordinality
        ), '') || ']'
        from jsonb_array_elements(p_value) with ordinality as item (value, ordinality)
      );
    when 'number' then
      return p_value::text::bigint::text;
    else
      return p_value::text;
  end case;
end
$$;

comment on function platform.canonical_json(jsonb) is
  'The canonical JSON text of a value: keys sorted by code point, no whitespace, non-ASCII characters unescaped. '
  'Its UTF-8 bytes are what signatures and audit hashes cover. Numbers must be integers.';

revoke execute on function platform.canonical_json(jsonb) from public;
