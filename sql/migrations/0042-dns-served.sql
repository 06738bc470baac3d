-- What the nameservers serve: the flat tables of PowerDNS (gpgsql backend, 4.7 and later), with the columns that its own queries name.
-- Everything here follows from dns.zones and dns.records. There are no foreign keys, because the functions that publish a zone keep the tables together.

create table pdns.domains (
  id integer primary key,
  name text collate "C" not null unique,
  master text,
  last_check integer,
  type text collate "C" not null,
  notified_serial bigint,
  account text,
  options text,
  catalog text
);
comment on table pdns.domains is 'Zones that the nameservers serve. Derived from dns.zones.';
comment on column pdns.domains.id is 'The zone.';
comment on column pdns.domains.name is 'Its apex, in lower case, without a final dot.';
comment on column pdns.domains.master is 'Not used: of zones that are copied from another nameserver.';
comment on column pdns.domains.last_check is 'Not used: of zones that are copied from another nameserver.';
comment on column pdns.domains.type is 'NATIVE: all nameservers read the same tables, and none notifies another.';
comment on column pdns.domains.notified_serial is 'Not used: of zones whose changes are notified.';
comment on column pdns.domains.account is 'Not used: a name for the owner.';
comment on column pdns.domains.options is 'Not used: of catalog zones.';
comment on column pdns.domains.catalog is 'Not used: of catalog zones.';

create table pdns.records (
  domain_id integer not null,
  id uuid not null,
  name text collate "C" not null,
  type text collate "C",
  content text,
  ttl integer,
  prio integer,
  disabled boolean not null default false,
  ordername text collate "C",
  auth boolean not null,
  primary key (domain_id, id)
);
comment on table pdns.records is 'Records that the nameservers serve, SOA and NS of the apex and empty non-terminals included. Derived from dns.zones and dns.records.';
comment on column pdns.records.domain_id is 'The zone.';
comment on column pdns.records.id is 'A digest of name, type, priority and content: a rebuild gives a record the same id.';
comment on column pdns.records.name is 'The whole name, in lower case, without a final dot.';
comment on column pdns.records.type is 'The type. Null for an empty non-terminal: a name without records that has names with records below it (RFC 8499).';
comment on column pdns.records.content is 'The content as PowerDNS reads it. Null for an empty non-terminal.';
comment on column pdns.records.ttl is 'How long resolvers keep it, in seconds. Null for an empty non-terminal.';
comment on column pdns.records.prio is 'Of MX and SRV. Null for other types.';
comment on column pdns.records.disabled is 'Always false: what is not served has no row.';
comment on column pdns.records.ordername is 'Always null: the order of names is for NSEC, and unsigned zones and narrow NSEC3 do without it.';
comment on column pdns.records.auth is 'Whether the zone answers for it. False for what lies at or below a delegation.';
-- Queries of PowerDNS ask by name with type, zone or both.
create index records_name on pdns.records (name, domain_id, type);
-- Finds the names below a name.
create index records_below on pdns.records (domain_id, reverse(name)) where type is not null;

create table pdns.cryptokeys (
  id integer primary key,
  domain_id integer not null,
  flags integer not null,
  active boolean not null,
  published boolean not null,
  content text not null
);
create index cryptokeys_domain on pdns.cryptokeys (domain_id);
comment on table pdns.cryptokeys is 'Keys that sign zones. Empty: zones are not signed yet.';
comment on column pdns.cryptokeys.id is 'The key.';
comment on column pdns.cryptokeys.domain_id is 'The zone.';
comment on column pdns.cryptokeys.flags is 'Flags of the DNSKEY record (RFC 4034 §2.1.1).';
comment on column pdns.cryptokeys.active is 'Whether it signs.';
comment on column pdns.cryptokeys.published is 'Whether the zone has its DNSKEY record.';
comment on column pdns.cryptokeys.content is 'The private key.';

create table pdns.domainmetadata (
  id integer primary key,
  domain_id integer not null,
  kind text collate "C" not null,
  content text not null
);
create index domainmetadata_domain on pdns.domainmetadata (domain_id);
comment on table pdns.domainmetadata is 'Settings of PowerDNS for single zones. Empty: zones are not signed yet.';
comment on column pdns.domainmetadata.id is 'The setting.';
comment on column pdns.domainmetadata.domain_id is 'The zone.';
comment on column pdns.domainmetadata.kind is 'The name of the setting.';
comment on column pdns.domainmetadata.content is 'Its value.';

create table pdns.tsigkeys (
  name text collate "C" not null,
  algorithm text not null,
  secret text not null,
  primary key (name, algorithm)
);
comment on table pdns.tsigkeys is 'Keys of signed questions (RFC 8945). Empty: PowerDNS looks up the key of every signed question, and reconnects to the database where the table is missing.';
comment on column pdns.tsigkeys.name is 'The key.';
comment on column pdns.tsigkeys.algorithm is 'Its algorithm.';
comment on column pdns.tsigkeys.secret is 'Its secret.';

grant select on pdns.domains, pdns.records, pdns.cryptokeys, pdns.domainmetadata, pdns.tsigkeys to selo_dns, selo_system;
