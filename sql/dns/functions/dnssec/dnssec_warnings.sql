create or replace function dns.dnssec_warnings(p_zone dns.zones) returns table (code text, message text)
  language sql stable set search_path = '' as $$
  with key as materialized (
    select each.*, row_number() over (order by each.id desc) as place, each.ds_records && p_zone.parent_ds as is_at_parent from dns.zone_keys(p_zone) as each
  ), said as (
    -- The present provider of a name answers validly: its DS record harms nobody before the name is delegated to us.
    select case when p_zone.status <> 'active' then
      'The parent publishes the DS record of another provider. Remove it at the registrar, and wait a day, before you point the domain here.'
    end as before_the_move
  )
  select 'ds_still_published', coalesce(said.before_the_move,
    'The parent still publishes a DS record, and the zone is not signed: validating resolvers refuse its answers. Remove the DS record at the registrar.')
  from said
  where cardinality(p_zone.parent_ds) > 0 and not exists (select from key)
  union all
  select 'ds_without_key', coalesce(said.before_the_move,
    'The parent publishes DS records only of keys that the zone does not have: validating resolvers refuse its answers. Publish a DS record of a key of the zone at the registrar.')
  from said
  where dns.chain_of_trust(p_zone) = 'broken' and exists (select from key)
  union all
  select 'new_ds_not_seen', 'The DS record of the new key has not been seen at the parent yet: do not remove the old key before that.'
  from key where key.place = 1 and key.is_at_parent is not true and (select count(*) from key) > 1
  union all
  -- The signed zone proves that there is no such delegation.
  select 'lower_zone_undelegated', format('Your zone %s lies below this one, which is signed and has no NS records for it: validating resolvers refuse the answers of the lower zone. Add its NS records to this zone.', lower.name)
  from dns.undelegated_below(p_zone) as lower where exists (select from key)
$$;
comment on function dns.dnssec_warnings(dns.zones) is
  'What the owner of a zone must know about its keys and the DS records that the parent published at the last check. Nothing is refused for it.';
revoke execute on function dns.dnssec_warnings(dns.zones) from public;
