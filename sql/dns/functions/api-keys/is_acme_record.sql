create or replace function dns.is_acme_record(p_name text, p_type text) returns boolean
  language plpgsql immutable set search_path = '' as $$
begin
  -- Below it, too: some challenges put the account before it (draft-ietf-acme-dns-account-label).
  return p_type = 'TXT' and p_name ~ '(^|\.)_acme-challenge\.';
end
$$;
comment on function dns.is_acme_record(text, text) is
  'Whether a record proves a domain to a certificate authority (RFC 8555 §8.4): a TXT record at or below a name that begins with _acme-challenge.';
revoke execute on function dns.is_acme_record(text, text) from public;
grant execute on function dns.is_acme_record(text, text) to selo_app, selo_analyst;
