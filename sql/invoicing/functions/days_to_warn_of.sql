create or replace function invoicing.days_to_warn_of(p_ends_at timestamptz, p_now timestamptz) returns integer
  language sql immutable set search_path = '' as $$
  select min(stage.days) from unnest(array[1, 7, 30]) as stage (days)
  where p_now < p_ends_at and p_ends_at <= p_now + stage.days * interval '24 hours'
$$;
comment on function invoicing.days_to_warn_of(timestamptz, timestamptz) is
  'Which mail about the end of a certificate is due: 30, 7 or 1 days before. Null earlier, and after the end.';
revoke execute on function invoicing.days_to_warn_of(timestamptz, timestamptz) from public;
grant execute on function invoicing.days_to_warn_of(timestamptz, timestamptz) to selo_system;
