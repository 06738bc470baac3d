create or replace function signature.refuse_wrong_connector(p_connector signature.connectors, p_is_loopback boolean) returns void
  language sql stable set search_path = '' as $$
  select platform.refuse_wrong_arguments(jsonb_build_object(
    'name', signature.wrong_text(p_connector.name, true),
    'endpoint', case when p_is_loopback and platform.environment() <> 'test'
      then 'must be an https:// address; only test tokens may use an address of this machine' end,
    'prefix', case
      when p_connector.prefix <> '' and signature.wrong_text(p_connector.prefix, true) is not null then signature.wrong_text(p_connector.prefix, true)
      when p_connector.prefix ~ '^/|/$|//' then 'must not begin or end with a slash, nor have two beside each other'
      when p_connector.prefix ~ '\.\.|(^|/)\.(/|$)' then 'must not have .. and no part that is a point' end))
$$;
comment on function signature.refuse_wrong_connector(signature.connectors, boolean) is
  '422 invalid_request for a connector whose name or prefix is wrong, or that is on this machine outside of the test environment. The limits of parameters say the rest.';
revoke execute on function signature.refuse_wrong_connector(signature.connectors, boolean) from public;
