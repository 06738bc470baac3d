create or replace function invoicing.has_route(p_environment text) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(route.url <> '' and (route.url = 'simulator' or platform.setting('nfse_trusted_certificates') <> ''), false)
  -- Not pulled up, which would ask for the address twice.
  from (select platform.setting('nfse_url_' || p_environment) as url offset 0) as route
$$;
comment on function invoicing.has_route(text) is 'Whether the deployment has an address of the tax authority for an environment, and knows who signs its answers.';
revoke execute on function invoicing.has_route(text) from public;
