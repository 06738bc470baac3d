--! login selo_dns
--! derived schema pdns
-- The nameservers read what they serve, and nothing else.
grant usage on schema pdns to selo_dns;
