create or replace function dns.audit_coverage() returns table (table_name text, column_name text, check_name text, how text)
  language sql immutable set search_path = '' as $$
  select covered.table_name, named.column_name, covered.check_name, covered.how
  from (values
    ('dns.api_keys', '{tenant_id,id,actor_id,environment,name,prefix,created_at,record_salt,zones,acme_only}', 'records', 'compared with the salted digest in the last event of the key, which covers its credential'),
    ('dns.zones', '{tenant_id,id,environment,subject_id,name,status,nameservers,serial,created_at,record_salt,lost_at,is_served}', 'records', 'compared with the salted digest in the last event of the zone'),
    ('dns.zones', '{parent_ds,parent_ds_checked_at}', null, 'a zone shows a wrong chain of trust, or wrong warnings, until the next check'),
    ('dns.zones', '{chain_broken_at}', null, 'the owner of a zone gets no mail, or another one, about its broken chain of trust'),
    ('dns.dnssec_keys', '{tenant_id,zone_id,key_tag,id,environment,algorithm,dnskey,ds_records,private_sha256,created_at}', 'records', 'compared with the salted digest in the last event of the zone'),
    ('dns.dnssec_keys', '{sealed_private_key}', null, 'a rebuild of the served tables does not find the key, and says so: the key goes on signing until then, and a key can be decrypted only for its own zone and tag'),
    ('dns.zones', '{checked_at}', null, 'a zone shows a wrong time of its last check'),
    ('dns.zones', '{due_at}', null, 'the delegation of a zone is checked earlier or later'),
    ('dns.zones', '{ns_before}', null, 'a delegation that was left behind makes a zone active, or a delegation that its owner made does not'),
    ('dns.zones', '{scanned_at}', null, 'a quick scan is refused for up to a minute, or is not'),
    ('dns.aliases', '{tenant_id,environment,zone_id,name,addresses,ttl,is_failing,is_bare,settled_at,changed_at,due_at}', null, 'an ALIAS is served with wrong addresses, or none, until its target is next asked for or changed'),
    ('dns.alias_links', '{tenant_id,environment,zone_id,name,via}', null, 'an ALIAS does not follow a change of its target'),
    ('dns.alias_targets', '{name,type,first_by,addresses,ttl,cnames,checked_at,due_at,failing_since,empty_checks,is_given_up}', null, 'ALIAS names are served with wrong addresses, or none, until their target is next asked for'),
    ('dns.alias_news', '{id,name,with_names_below,by_organization,due_at}', null, 'an ALIAS does not follow a change of its target'),
    ('dns.records', '{tenant_id,id,environment,zone_id,name,type,content,ttl,priority,disabled,comment,created_at}', 'zone_records', 'compared with the sum of the changes of the zone'),
    ('dns.changes', '{tenant_id,environment,zone_id,serial,at,key_id,request_id,removed,added}', 'zone_changes', 'compared with the salted digest in the event of the change'),
    ('dns.usage', '{tenant_id,environment,zones,records}', 'zones', 'compared with the number of zones and records'),
    ('dns.deleted_zones', '{tenant_id,id,environment,name,nameservers,serial,records,deleted_at,record_salt,zone_id,is_taken}', 'zones', 'compared with the salted digest in the event of the deletion'),
    ('dns.released_names', '{name,tenant_id,nameservers,released_at}', null, 'a zone gets two nameservers that its name had under another organization, or is refused for up to 30 days'),
    ('dns.zone_roots', '{name}', null, 'nothing: a row that is missing is made again'),
    ('dns.zone_statuses', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('dns.zone_moves', '{from_status,action,to_status,event}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('dns.record_types', '{name,description}', 'reference_data', 'compared with a digest of the rows, recorded after each migration'),
    ('platform.zone_names', '{name,tenant_id,zone_id}', 'zones', 'compared with the zones, in both directions'),
    ('pdns.domains', '{id,name,master,last_check,type,notified_serial,account,options,catalog}', 'served', 'compared with what the zone would be published as'),
    ('pdns.records', '{domain_id,id,name,type,content,ttl,prio,disabled,ordername,auth}', 'served', 'compared with what the records of the zone would be published as'),
    ('pdns.cryptokeys', '{id,domain_id,flags,active,published,content}', 'served', 'compared with the keys of the zones; the private key with its SHA-256'),
    ('pdns.domainmetadata', '{domain_id,kind,content}', 'served', 'compared with the settings of a signed zone'),
    ('pdns.domainmetadata', '{id}', null, 'nothing: no question of a nameserver names it'),
    ('pdns.tsigkeys', '{name,algorithm,secret}', null, 'nothing: the table is empty, and `selo audit verify` reports every row')
  ) as covered (table_name, columns, check_name, how)
  cross join lateral unnest(covered.columns::text[]) as named (column_name)
$$;
comment on function dns.audit_coverage() is 'See platform.audit_coverage.';
revoke execute on function dns.audit_coverage() from public;
