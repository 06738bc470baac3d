create function api.get_billing_plan() returns api.billing_plan
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('billing:read');
  return (select own from api.billing_plan as own);
end
$$;
comment on function api.get_billing_plan() is 'The organization''s plan.';
revoke execute on function api.get_billing_plan() from public;
