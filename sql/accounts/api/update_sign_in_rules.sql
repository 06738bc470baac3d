create function api.update_sign_in_rules(p_demands_second_factor boolean) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
begin
  perform platform.require_scope('organization:manage');
  if p_demands_second_factor and accounts.factor_of(accounts.require_person()) is null then
    perform platform.fail(409, 'conflict', 'Set up a second factor of your own first: you would lose access.');
  end if;
  insert into accounts.sign_in_rules as rule (tenant_id, demands_second_factor) values (platform.tenant_id(), p_demands_second_factor)
  on conflict (tenant_id) do update set demands_second_factor = excluded.demands_second_factor;
  -- The organization belongs to both environments. Its chain is in live.
  perform platform.restore_context(array[c_saved[1], 'live'] || c_saved[3:]);
  perform platform.record_audit_event('organization.sign_in_rules_changed', 'organization', platform.tenant_id(),
    jsonb_build_object('demands_second_factor', p_demands_second_factor));
  perform platform.restore_context(c_saved);
  return json_build_object('demands_second_factor', p_demands_second_factor);
end
$$;
comment on function api.update_sign_in_rules(boolean) is
  E'@param demands_second_factor Whether a person without a second factor has no rights in the organization.\n@answers demands_second_factor boolean Whether the organization demands a second factor.\nSets what the organization demands of its people. People without a second factor lose their rights at once, until they set one up; tokens keep working. 409 conflict for a caller without a second factor who demands one. For people who are signed in.';
revoke execute on function api.update_sign_in_rules(boolean) from public;
