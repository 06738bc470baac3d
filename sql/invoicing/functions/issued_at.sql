create or replace function invoicing.issued_at(p_at timestamptz, p_time_zone text) returns text
  language sql stable set search_path = '' as $$
  select to_char(p_at at time zone zone.name, 'YYYY-MM-DD"T"HH24:MI:SS') || to_char(zone.hours, 'SG00') || ':00'
  from (
    select candidate.name, extract(epoch from (p_at at time zone candidate.name) - (p_at at time zone 'UTC')) / 3600 as hours
    from (values (1, p_time_zone), (2, 'America/Sao_Paulo')) as candidate (place, name) order by candidate.place
  ) as zone
  where zone.hours = round(zone.hours) and abs(zone.hours) <= 11 limit 1
$$;
comment on function invoicing.issued_at(timestamptz, text) is
  'An instant as the layout takes it (dhEmi): whole seconds with an offset of whole hours, in the time zone of the organization where that has such an offset, otherwise in that of Brasília.';
revoke execute on function invoicing.issued_at(timestamptz, text) from public;
