create function api.update_account(p_name text default null, p_language text default null) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_person_id uuid;
  v_fields jsonb;
  v_person accounts.people;
  v_tenant_id uuid;
begin
  perform platform.require_token();
  v_person_id := accounts.require_person();
  v_fields := accounts.wrong_profile(p_name, p_language);
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_fields);
  end if;
  v_person := accounts.hold_person(v_person_id);
  v_person.name := coalesce(p_name, v_person.name);
  v_person.language := coalesce(p_language, v_person.language);
  perform accounts.put_profile(v_person_id, v_person.name, v_person.language);
  for v_tenant_id in select every from accounts.tenants_of(v_person_id) as every loop
    perform accounts.record_member_event('user.changed', v_tenant_id, v_person_id, '{}');
  end loop;
  return json_build_object('name', v_person.name, 'language', v_person.language);
end
$$;
comment on function api.update_account(text, text) is
  E'@param name {1..255, not null} Your name.\n@param language {..35, not null} Language tag of what you read, such as pt-BR.\n@answers name text Your name.\n@answers language text Language tag of what you read.\nChanges your own name and language, in all of your organizations. A member that is absent stays as it is.';
revoke execute on function api.update_account(text, text) from public;
