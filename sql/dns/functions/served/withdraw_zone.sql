create or replace function dns.withdraw_zone(p_zone_id integer) returns void
  language sql volatile set search_path = '' as $$
  delete from pdns.cryptokeys as key where key.domain_id = p_zone_id;
  delete from pdns.domainmetadata as setting where setting.domain_id = p_zone_id;
  delete from pdns.records as record where record.domain_id = p_zone_id and octet_length(record.name) > 0;
  delete from pdns.domains as domain where domain.id = p_zone_id;
$$;
comment on function dns.withdraw_zone(integer) is
  'Ends the serving of a zone. The tables of the nameservers know no organizations: the caller has found the zone in its own.';
revoke execute on function dns.withdraw_zone(integer) from public;
