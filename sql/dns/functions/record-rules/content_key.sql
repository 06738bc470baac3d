create or replace function dns.content_key(p_type text, p_content text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  return case
    when p_type = 'TXT' then array_to_string(dns.character_strings(p_content), ' ')
    -- An earlier version kept addresses below ::ffff:0:0/96 with dotted digits.
    when p_type = 'AAAA' and position('.' in p_content) > 0 then dns.hex_groups(p_content)
    else p_content
  end;
end
$$;
comment on function dns.content_key(text, text) is 'A text that two contents share if they are the same on the wire: a text, or an address below ::ffff:0:0/96, may be written in several ways.';
revoke execute on function dns.content_key(text, text) from public;
