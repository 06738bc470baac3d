create function api.list_credit_usage(p_from date default null, p_to date default null) returns setof api.credit_usage
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('billing:read');
  return query
    select usage.*
    from platform.usage_period(p_from, p_to) as period
    join api.credit_usage as usage on usage.day between period.first_day and period.last_day
    order by usage.day, usage.kind, usage.reason;
end
$$;
comment on function api.list_credit_usage(date, date) is E'@param from The first day, in UTC. Default: 29 days before the last day.\n@param to The last day, in UTC. The period includes this day. Default: today. A period has at most 366 days.\nMovements of credits in a period, oldest first: one row for each day, kind and reason with movements.';
revoke execute on function api.list_credit_usage(date, date) from public;
