create or replace function signature.hold_label_names() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform from platform.projects as project
  where project.tenant_id = platform.tenant_id() and project.environment = platform.environment() for no key update;
end
$$;
comment on function signature.hold_label_names() is
  'One request at a time names labels in an organization and environment: two at once could both take a name, or the last free place. This lock comes before that of a label.';
revoke execute on function signature.hold_label_names() from public;
