-- Makes something of rows, as the product's does: the names that a migration adds are there once it ran again.
create or replace function platform.build_commands() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  create table gateway.commands as select status.name from platform.statuses as status;
end $$;
revoke execute on function platform.build_commands() from public;
