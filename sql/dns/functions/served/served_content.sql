create or replace function dns.served_content(p_type text, p_content text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if p_type <> 'TXT' then
    return p_content;
  elsif octet_length(p_content) <= 255 and p_content ~ '^[ !#-\[\]-~]+$' then
    -- One string without escapes, as most texts are; a query would take ten times as long.
    return '"' || p_content || '"';
  end if;
  return (
    select string_agg('"' || case
      -- Looking at each byte takes a hundred times as long as at the whole. This encoding writes a zero byte, a byte above 127 and a backslash with a backslash.
      when encode(string.bytes, 'escape') ~ '^[ !#-\[\]-~]*$' then encode(string.bytes, 'escape')
      else (
        select coalesce(string_agg(
          case
            when place.byte in (34, 92) then '\' || chr(place.byte)
            when place.byte between 32 and 126 then chr(place.byte)
            else '\' || lpad(place.byte::text, 3, '0')
          end, '' order by place.at), '')
        from (select at, get_byte(string.bytes, at) as byte from generate_series(0, octet_length(string.bytes) - 1) as at) as place)
    end || '"', ' ' order by string.number)
    from unnest(dns.character_strings(p_content)) with ordinality as string (bytes, number)
  );
end
$$;
comment on function dns.served_content(text, text) is
  'A content as PowerDNS reads it: a TXT in quoted strings of at most 255 bytes, in which every byte that is no printable ASCII character is \DDD (RFC 1035 §5.1). Other contents stay as they are.';
revoke execute on function dns.served_content(text, text) from public;
grant execute on function dns.served_content(text, text) to selo_system;
grant execute on function dns.character_strings(text) to selo_system;
