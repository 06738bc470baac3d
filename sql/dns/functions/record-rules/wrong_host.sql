create or replace function dns.wrong_host(p_host text, p_takes_underscores boolean) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  return case
    when p_host ~ ':|^[0-9.]+$' then case
      when p_host = '.' then 'must be a whole hostname, such as www.example.com, and not the root'
      when p_host ~ '[^0-9a-f:.]' then 'must be a hostname alone, such as www.example.com: no URL and no port'
      else 'must be a hostname and no IP address'
    end
    when p_host !~ '\.' then 'must be a whole hostname, such as www.example.com'
    when octet_length(p_host) > 253 then 'must be a hostname of at most 253 characters'
    when p_host ~ '\.(in-addr|ip6)\.arpa$' and p_takes_underscores then
      case when p_host !~ '^([a-z0-9_/-]{1,63}\.)+arpa$' then 'must be a hostname' end
    -- Short patterns: Postgres takes twenty times as long for one that says all this, and for {1,63} in it.
    when p_host ~ '(^|\.)-|-(\.|$)' or p_host ~ '\.[0-9]+$' or octet_length(p_host) > 63 and p_host ~ '[^.]{64}'
      or p_host !~ case when p_takes_underscores then '^([a-z0-9_-]+\.)+[a-z0-9-]+$' else '^([a-z0-9-]+\.)+[a-z0-9-]+$' end
      then case when p_takes_underscores then 'must be a hostname: labels of letters, digits, hyphens and underscores' else 'must be a hostname: labels of letters, digits and hyphens' end
  end;
end
$$;
comment on function dns.wrong_host(text, boolean) is
  'What is wrong with a hostname in lower case without a final dot (RFC 1123 §2.1), or null. Names of zones, and targets of CNAME, ALIAS, PTR (RFC 6763) and SRV may have underscores, and in reverse zones slashes (RFC 2317).';
revoke execute on function dns.wrong_host(text, boolean) from public;
