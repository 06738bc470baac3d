create or replace function dns.judge_content(p_type text, p_content text, p_priority integer, out content text, out fault text)
  language plpgsql immutable set search_path = '' as $$
declare
  c_ipv4 constant text := '((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.(?=.)|$)){4}$';
  -- Of ASCII alone: elsewhere, the Kelvin sign has the lower case k. A dot that stands alone is the root.
  c_host constant text := lower(regexp_replace(p_content, '([^ .])\.$', '\1') collate "C");
  v_parts text[];
  v_strings bytea[];
begin
  -- Before any pattern is tried on it.
  if char_length(p_content) > 70000 then
    fault := 'must have at most 70,000 characters';
  elsif p_content ~ '[\x01-\x1f\x7f]' or p_content ~ U&'[\0080-\009f]' then
    fault := 'must have no control characters';
  elsif p_type = 'A' then
    content := p_content;
    if p_content !~ ('^' || c_ipv4) then
      fault := 'must be an IPv4 address, such as 192.0.2.1';
    end if;
  elsif p_type = 'AAAA' then
    begin
      -- Postgres would take fewer than four dotted digits too, and fill up with zeros.
      if p_content ~ ':' and p_content ~ ('^[0-9A-Fa-f:]+$|^[0-9A-Fa-f:]+:' || c_ipv4) then
        content := host(p_content::inet);
        -- RFC 5952 §5 leaves the choice of dotted digits. Other programs write all addresses alike.
        if position('.' in content) > 0 then
          content := dns.hex_groups(content);
        end if;
      end if;
    exception when invalid_text_representation then
      null;
    end;
    if content is null then
      fault := 'must be an IPv6 address, such as 2001:db8::1';
    end if;
  elsif p_type in ('CNAME', 'ALIAS', 'NS', 'PTR') or p_type = 'MX' and p_content <> '.' then
    content := c_host;
    fault := dns.wrong_host(
      -- A CNAME or PTR leads to a name, which need not be a host (RFC 2181 §11): its first label may be *, and labels may begin and end with hyphens.
      case when p_type in ('CNAME', 'PTR') then regexp_replace(c_host, '^\*(?=\.)|(^|\.)-|-(?=\.|$)', '\1x', 'g') else c_host end,
      p_type in ('CNAME', 'ALIAS', 'PTR'));
    if fault is null and p_type = 'ALIAS' and dns.is_special_name(c_host) then
      fault := 'must not be a name that the public DNS never knows, such as those below .local and .internal';
    end if;
  elsif p_type = 'MX' then
    -- RFC 7505: this domain takes no mail.
    content := '.';
    if p_priority <> 0 then
      fault := '"." takes priority 0';
    end if;
  elsif p_type = 'SRV' then
    v_parts := regexp_match(c_host, '^0*([0-9]{1,5}) +0*([0-9]{1,5}) +(\S+)$');
    if v_parts is null or v_parts[1]::integer > 65535 or v_parts[2]::integer > 65535 then
      fault := 'must be weight, port and target, such as "5 443 host.example.com"';
    elsif v_parts[3] <> '.' and dns.wrong_host(v_parts[3], true) is not null then
      fault := 'has a target that ' || dns.wrong_host(v_parts[3], true);
    elsif v_parts[3] like '\_%' then
      fault := 'has a target that must be a host with addresses: a name that begins with "_" is that of a service';
    else
      content := format('%s %s %s', v_parts[1]::integer, v_parts[2]::integer, v_parts[3]);
    end if;
  elsif p_type = 'CAA' then
    v_parts := regexp_match(regexp_replace(p_content, '^([0-9]+ +)"([A-Za-z0-9]+)" ', '\1\2 '),
      '^0*([0-9]{1,3}) +([A-Za-z0-9]{1,255}) +(?:"((?:[^"\\]|\\[^0-9]|\\[0-9]{3})*)"|((?:[^" \\]|\\[^0-9]|\\[0-9]{3})+)) *$');
    if v_parts is null or v_parts[1]::integer > 255 or p_content ~ '[^ -~]' then
      fault := 'must be flags, tag and value, such as 0 issue "ca.example.net"';
    elsif dns.character_strings('"' || coalesce(v_parts[3], v_parts[4]) || '"') is null then
      fault := 'must have a value of at most 255 bytes, in which \DDD is at most \255';
    else
      content := format('%s %s %s', v_parts[1]::integer, lower(v_parts[2]), dns.served_content('TXT', '"' || coalesce(v_parts[3], v_parts[4]) || '"'));
    end if;
  elsif p_type = 'TXT' then
    content := p_content;
    v_strings := dns.character_strings(content);
    if v_strings is null then
      -- What cannot be read may have a string that is too long for one, and is not lost.
      content := dns.cut_strings(p_content);
      v_strings := dns.character_strings(content);
    end if;
    if v_strings is null then
      fault := 'must be text, or quoted strings: "…" "…"';
    elsif cardinality(v_strings) > 4096 or (select sum(octet_length(string)) from unnest(v_strings) as string) > 16384 then
      fault := 'must have at most 16,384 bytes in at most 4,096 strings';
    end if;
  end if;
end
$$;
comment on function dns.judge_content(text, text, integer) is
  'The canonical form of a content, or what is wrong with it. Addresses: RFC 5952, without dotted digits in AAAA. Hosts: lower case, without a final dot. SRV: weight, port, target. CAA: flags, tag, quoted value (RFC 8659) with \DDD for what is not printable. TXT stays as it was sent, but quoted strings of more than 255 bytes are cut. One wrong content would keep the nameservers from answering for the whole name.';
revoke execute on function dns.judge_content(text, text, integer) from public;
grant execute on function dns.judge_content(text, text, integer) to selo_system;
