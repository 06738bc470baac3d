create or replace function dns.character_strings(p_content text) returns bytea[]
  language plpgsql immutable set search_path = '' as $$
declare
  c_bytes constant bytea := convert_to(p_content, 'UTF8');
  v_strings bytea[] := '{}';
  v_text text;
  v_string bytea;
  v_part text[];
begin
  if left(p_content, 1) <> '"' then
    if octet_length(c_bytes) between 1 and 255 then
      -- Without a query: most texts are short, and a zone file has thousands.
      return array[c_bytes];
    end if;
    return array(select substring(c_bytes from place for 255) from generate_series(1, octet_length(c_bytes), 255) as place);
  elsif p_content !~ '^"([^"\\]|\\[^0-9]|\\[0-9]{3})*"( +"([^"\\]|\\[^0-9]|\\[0-9]{3})*")* *$' then
    return null;
  end if;
  for v_text in select found.parts[1] from regexp_matches(p_content, '"((?:[^"\\]|\\.)*)"', 'g') as found (parts) loop
    if position('\' in v_text) = 0 then
      v_string := convert_to(v_text, 'UTF8');
    else
      v_string := '';
      for v_part in select found.parts from regexp_matches(v_text, '\\([0-9]{3})|\\(.)|([^\\]+)', 'g') as found (parts) loop
        if v_part[1]::integer > 255 then
          return null;
        end if;
        v_string := v_string || coalesce(set_byte('\x00', 0, v_part[1]::integer), convert_to(coalesce(v_part[2], v_part[3]), 'UTF8'));
        exit when octet_length(v_string) > 255;
      end loop;
    end if;
    if octet_length(v_string) > 255 then
      return null;
    end if;
    v_strings := v_strings || v_string;
  end loop;
  return v_strings;
end
$$;
comment on function dns.character_strings(text) is
  'The strings of a TXT record (RFC 1035 §3.3.14): those of a content that begins with a quotation mark, otherwise its bytes in UTF-8, cut at 255. Null for quoted strings that cannot be read, or of more than 255 bytes.';
revoke execute on function dns.character_strings(text) from public;
