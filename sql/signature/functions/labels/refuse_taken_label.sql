create or replace function signature.refuse_taken_label(p_name text, p_id uuid default null) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if exists (
      select from signature.labels as label
      where label.tenant_id = platform.tenant_id() and label.environment = platform.environment() and label.name_key = signature.label_key(p_name)
        and label.id is distinct from p_id) then
    perform platform.fail(409, 'conflict', 'Another label has this name.');
  end if;
end
$$;
comment on function signature.refuse_taken_label(text, uuid) is '409 conflict for a name that a label of the context has, other than the label p_id. The transaction holds the names: signature.hold_label_names.';
revoke execute on function signature.refuse_taken_label(text, uuid) from public;
