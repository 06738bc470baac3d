create or replace function signature.trusts_authorities() returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(platform.setting('icp_brasil_roots_' || platform.environment()) <> '', false)
$$;
comment on function signature.trusts_authorities() is
  'Whether the deployment trusts authorities that issue certificates to signers, in the environment of the context: without them modality qualificada is not available.';
revoke execute on function signature.trusts_authorities() from public;
