create function gateway.billing_plan() returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('billing:read');
  return (select row_to_json(answer) from (
    select own.plan, own.features, own.limits, (
      select json_agg(gateway.plan_features_json(known) order by known.feature) from api.plan_features as known
    ) as plan_features
    from api.billing_plan as own
  ) as answer);
end
$$;
comment on function gateway.billing_plan() is 'GET /billing/plan: the plan, and the features that only some plans include.';
revoke execute on function gateway.billing_plan() from public;
