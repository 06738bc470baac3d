create or replace function platform.usage_period(p_from date, p_to date, out first_day date, out last_day date)
  language plpgsql stable set search_path = '' as $$
begin
  last_day := coalesce(p_to, (now() at time zone 'UTC')::date);
  first_day := coalesce(p_from, last_day - 29);
  if first_day > last_day then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', '[{"field": "from", "message": "must not be after to"}]');
  elsif last_day - first_day > 365 then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', '[{"field": "from", "message": "must be at most 365 days before to"}]');
  end if;
end
$$;
comment on function platform.usage_period(date, date) is
  'The days from first to last, both included. By default the last day is today in UTC, and the first day is 29 days before the last. 422 invalid_request for more than 366 days.';
revoke execute on function platform.usage_period(date, date) from public;
