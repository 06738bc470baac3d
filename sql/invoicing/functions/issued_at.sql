create or replace function invoicing.issued_at(p_at timestamptz, p_time_zone text) returns text
  language sql stable set search_path = '' as $$
  select to_char(p_at at time zone 'UTC' + zone.hours * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS') || to_char(zone.hours, 'SG00') || ':00'
  from (
    -- Rounded up: the day of the DPS is never before the day in the organization's zone, which may be the competence date (E0015).
    select least(greatest(ceil(extract(epoch from (p_at at time zone p_time_zone) - (p_at at time zone 'UTC')) / 3600), -11), 12) as hours
  ) as zone
$$;
comment on function invoicing.issued_at(timestamptz, text) is
  'An instant as the layout takes it (dhEmi): whole seconds with an offset of whole hours from -11 to +12, that of the time zone or the next one above.';
revoke execute on function invoicing.issued_at(timestamptz, text) from public;
