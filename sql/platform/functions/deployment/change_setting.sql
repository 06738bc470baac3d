create or replace function platform.change_setting(p_name text, p_value text) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  insert into platform.settings as known (name, value) values (p_name, p_value)
  on conflict (name) do update set value = excluded.value where known.value <> excluded.value;
  if found then
    perform platform.enter_context('00000000-0000-0000-0000-000000000000', 'live', null, null, null);
    perform platform.record_audit_event('setting.changed', 'platform', '00000000-0000-0000-0000-000000000000',
      jsonb_build_object('name', p_name, 'value', p_value));
    perform platform.enter_context(null, null, null, null, null);
  end if;
end
$$;
comment on function platform.change_setting(text, text) is 'Gives a setting of the deployment a value. A setting that already has the value does not change and gets no event.';
revoke execute on function platform.change_setting(text, text) from public;
