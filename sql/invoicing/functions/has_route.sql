create or replace function invoicing.has_route(p_environment text) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(platform.setting('nfse_url_' || p_environment), '') <> ''
    and (platform.setting('nfse_url_' || p_environment) = 'simulator' or coalesce(platform.setting('nfse_trusted_certificates'), '') <> '')
$$;
comment on function invoicing.has_route(text) is 'Whether the deployment has an address of the tax authority for an environment, and knows who signs its answers.';
revoke execute on function invoicing.has_route(text) from public;
