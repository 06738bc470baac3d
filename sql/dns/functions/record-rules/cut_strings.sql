create or replace function dns.cut_strings(p_content text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  v_content text := p_content;
begin
  -- What is not in quoted strings is refused where contents are judged.
  if octet_length(p_content) <= 257 or p_content !~ '^"([^"\\]|\\[^0-9]|\\[0-9]{3})*"( +"([^"\\]|\\[^0-9]|\\[0-9]{3})*")* *$' then
    return p_content;
  end if;
  -- A cut counts bytes: what takes more than one becomes \DDD first, without a backslash before it.
  if p_content ~ '[^\x01-\x7f]' then
    select string_agg(
      case
        when octet_length(sign.text) = 1 then sign.text
        else (select string_agg('\' || lpad(get_byte(convert_to(sign.text, 'UTF8'), at)::text, 3, '0'), '' order by at) from generate_series(0, octet_length(sign.text) - 1) as at)
      end, '' order by sign.number)
    into v_content
    from unnest(string_to_array(regexp_replace(p_content, '\\([^\x01-\x7f])|(\\.)', '\1\2', 'g'), null)) with ordinality as sign (text, number);
  end if;
  -- By its units: a pattern of 255 of them would be matched for a second.
  return (
    select string_agg('"' || coalesce(piece.text, '') || '"', ' ' order by string.number, piece.number)
    from regexp_matches(v_content, '"((?:[^"\\]|\\.)*)"', 'g') with ordinality as string (parts, number)
    left join lateral (
      select (unit.place - 1) / 255 as number, string_agg(unit.parts[1], '' order by unit.place) as text
      from regexp_matches(string.parts[1], '\\[0-9]{3}|\\?.', 'g') with ordinality as unit (parts, place)
      group by 1
    ) as piece on true
  );
end
$$;
comment on function dns.cut_strings(text) is
  'A TXT in quoted strings, each cut into strings of 255 bytes as PowerDNS cuts them when it serves them. Any other content stays as it is.';
revoke execute on function dns.cut_strings(text) from public;
