-- API keys of DNS that may do less: in some zones only, or only what proves a domain to a certificate authority.
alter table dns.api_keys
  add column zones integer[] check (cardinality(zones) between 1 and 1000),
  add column acme_only boolean not null default false;
comment on column dns.api_keys.zones is 'The zones that the key is narrowed to. Null for a key of all zones.';
comment on column dns.api_keys.acme_only is 'Whether the key is narrowed to TXT records of _acme-challenge.';
