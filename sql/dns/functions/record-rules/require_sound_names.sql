create or replace function dns.require_sound_names(p_zone dns.zones, p_names text[]) returns void
  language plpgsql stable set search_path = '' as $$
declare
  v_wrong record;
begin
  -- One statement judges all names: a zone file may have thousands.
  select judged.code, judged.name, judged.message into v_wrong
  from (
    select case
        when one.cnames > 0 and one.name = p_zone.name then 'record_conflict'
        when one.cnames > 0 and one.records > 1 and one.cnames < one.records then 'record_conflict'
        when one.twice is not null then 'record_exists'
        when one.cnames > 1 or one.aliases > 1 or one.aliases > 0 and one.addresses > 0 or one.null_mx > 0 and one.mx > 1 then 'record_conflict'
        when one.largest > 64000 then 'record_invalid'
      end as code,
      one.name,
      case
        when one.cnames > 0 and one.name = p_zone.name then 'must not be CNAME at the apex: use ALIAS'
        when one.cnames > 0 and one.records > 1 and one.cnames < one.records then 'a CNAME shares its name with no other record'
        when one.twice is not null then format('has this %s record already', one.twice)
        when one.cnames > 1 then 'must have one CNAME only'
        when one.aliases > 0 then 'an ALIAS shares its name with no A, AAAA, CNAME or other ALIAS record'
        when one.null_mx > 0 then 'an MX record "." stands alone'
        else 'has records of one type with more than 64,000 bytes together'
      end as message
    from (
      select kept.name, sum(kept.records) as records,
        sum(kept.records) filter (where kept.type = 'CNAME') as cnames, sum(kept.records) filter (where kept.type = 'ALIAS') as aliases,
        sum(kept.records) filter (where kept.type in ('A', 'AAAA')) as addresses, sum(kept.records) filter (where kept.type = 'MX') as mx,
        sum(kept.null_mx) as null_mx, max(kept.type) filter (where kept.different < kept.records) as twice, max(kept.bytes) as largest
      from (
        select record.name, record.type, count(*) as records,
          count(distinct (case
            when record.type = 'TXT' then array_to_string(dns.character_strings(record.content), ' ')
            when record.type = 'AAAA' and position('.' in record.content) > 0 then dns.hex_groups(record.content)
            else record.content
          end, record.priority)) as different,
          count(*) filter (where record.type = 'MX' and record.content = '.') as null_mx,
          sum(12 + dns.rdata_size(record.type, record.content)) as bytes
        from unnest(dns.records_of_names(p_zone, p_names)) as record
        group by record.name, record.type
      ) as kept
      group by kept.name
    ) as one
  ) as judged
  where judged.code is not null
  order by judged.name limit 1;
  -- Each code is a separate literal: a test reads which codes a function raises.
  if not found then
    return;
  elsif v_wrong.code = 'record_exists' then
    perform platform.fail(422, 'record_exists', format('%s: %s.', v_wrong.name, v_wrong.message));
  elsif v_wrong.code = 'record_conflict' then
    perform platform.fail(422, 'record_conflict', format('%s: %s.', v_wrong.name, v_wrong.message));
  else
    perform platform.fail(422, 'record_invalid', format('%s: %s.', v_wrong.name, v_wrong.message));
  end if;
end
$$;
comment on function dns.require_sound_names(dns.zones, text[]) is
  'Refuses records that do not go together at one of these names, as they are at the end of a change: dns-hosting §4, rule 5. Disabled records count. 422 record_conflict, record_exists, or record_invalid for a set that does not fit into an answer.';
revoke execute on function dns.require_sound_names(dns.zones, text[]) from public;
