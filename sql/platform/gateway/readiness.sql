create function gateway.readiness(out last_migration text, out public_url text, out has_demo boolean)
  language plpgsql stable security definer set search_path = '' as $$
begin
  readiness.last_migration := platform.last_migrations();
  readiness.public_url := platform.setting('public_url');
  readiness.has_demo := platform.setting('demo_organization_id') is not null;
end
$$;
comment on function gateway.readiness() is 'The state of the database, which /readyz compares with what the gateway expects.';
revoke execute on function gateway.readiness() from public;
grant execute on function gateway.readiness() to selo_app;
