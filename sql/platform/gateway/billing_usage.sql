create function gateway.billing_usage(p_from date default null, p_to date default null) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('billing:read');
  return (select row_to_json(answer) from (
    select period.first_day as "from", period.last_day as "to", coalesce((
      select json_agg(gateway.credit_usage_json(usage) order by usage.day, usage.kind, usage.reason)
      from api.list_credit_usage(p_from, p_to) as usage), '[]') as credit_usage
    from platform.usage_period(p_from, p_to) as period
  ) as answer);
end
$$;
comment on function gateway.billing_usage(date, date) is
  E'@param from The first day, in UTC. Default: 29 days before `to`.\n@param to The last day, in UTC. The period includes this day. Default: today.\nGET /billing/usage: a period and its movements.';
revoke execute on function gateway.billing_usage(date, date) from public;
