create or replace function dns.wrong_host(p_host text, p_takes_underscores boolean) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  -- Several small patterns: one pattern for all labels with their lengths takes a millisecond for a long host, and zone files have many.
  return case
    when p_host ~ ':|^[0-9.]+$' then 'must be a hostname and no IP address'
    when position('.' in p_host) = 0 then 'must be a whole hostname, such as www.example.com'
    when octet_length(p_host) > 253 then 'must be a hostname of at most 253 characters'
    when p_takes_underscores and p_host ~ '\.(in-addr|ip6)\.arpa$' then
      case when p_host !~ '^[a-z0-9_./-]+$' or p_host like '.%' or p_host like '%..%' or p_host ~ '[^.]{64}' then 'must be a hostname' end
    when p_host !~ case when p_takes_underscores then '^[a-z0-9_.-]+$' else '^[a-z0-9.-]+$' end
      or '.' || p_host || '.' ~ '\.[.-]|-\.' or p_host ~ '\.([0-9]+|[^.]*_[^.]*)$' or length(p_host) > 63 and p_host ~ '[^.]{64}'
      then 'must be a hostname: labels of letters, digits' || case when p_takes_underscores then ', hyphens and underscores' else ' and hyphens' end
  end;
end
$$;
comment on function dns.wrong_host(text, boolean) is
  'What is wrong with a hostname in lower case without a final dot (RFC 1123 §2.1), or null. Targets of CNAME, ALIAS and SRV may have underscores, and in reverse zones slashes (RFC 2317).';
revoke execute on function dns.wrong_host(text, boolean) from public;
