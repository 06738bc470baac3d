create or replace function signature.wrong_signature(p_role text, p_signature jsonb) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  c_kind constant text := p_signature ->> 'kind';
begin
  if p_role <> 'signatario' then
    return case when p_signature is not null then 'must be left out: only a signatario signs' end;
  elsif p_signature is null then
    return 'is required';
  elsif octet_length(replace(p_signature::text, ', ', ',')) > 65536 then
    return 'must have at most 64 KiB';
  elsif c_kind = 'typed' then
    return case
      when p_signature - '{kind,text}'::text[] <> '{}' or jsonb_typeof(p_signature -> 'text') is distinct from 'string' then 'must have the members kind and text'
      when not signature.is_visible(p_signature ->> 'text') then 'must have a text that can be seen'
      when char_length(p_signature ->> 'text') > 255 then 'must have a text of at most 255 characters'
      else signature.wrong_text(p_signature ->> 'text', true) end;
  elsif c_kind = 'drawn' then
    return case
      when p_signature - '{kind,ratio,paths}'::text[] <> '{}' or jsonb_typeof(p_signature -> 'ratio') is distinct from 'number'
        or jsonb_typeof(p_signature -> 'paths') is distinct from 'array' then 'must have the members kind, ratio and paths'
      when (p_signature ->> 'ratio')::numeric <= 0 or (p_signature ->> 'ratio')::numeric > 1 then 'must have a ratio above 0 and of at most 1'
      when exists (
        select from jsonb_array_elements(p_signature -> 'paths') as path
        where jsonb_typeof(path) <> 'array' or path = '[]' or exists (
          select from jsonb_array_elements(case jsonb_typeof(path) when 'array' then path else '[]' end) as point
          where jsonb_typeof(point) <> 'array' or jsonb_array_length(case jsonb_typeof(point) when 'array' then point else '[]' end) <> 2
            or point @? 'strict $[*] ? (@.type() <> "number" || @ < 0 || @ > 1)')
      ) then 'must have paths of points [x, y] between 0 and 1'
      when not exists (select from jsonb_array_elements(p_signature -> 'paths') as path where jsonb_array_length(path) >= 2)
        then 'must have a path of at least two points' end;
  end if;
  return 'must have the kind typed or drawn';
end
$$;
comment on function signature.wrong_signature(text, jsonb) is
  'The fault of a signature {kind: typed, text} or {kind: drawn, ratio, paths} of a participant with a role. Null for a right signature. A signatario must sign, and nobody else signs.';
revoke execute on function signature.wrong_signature(text, jsonb) from public;
