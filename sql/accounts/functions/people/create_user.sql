create or replace function accounts.create_user(
  p_tenant_id uuid, p_email text, p_role text, p_name text default null, p_language text default null, p_link_sha256 text default null,
  out id uuid, out email text, out name text, out language text, out role text, out has_password boolean, out link_expires_at timestamptz
)
  language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
declare
  v_fields jsonb := '[]';
  v_person accounts.people;
begin
  if platform.is_email(p_email) is not true then
    v_fields := v_fields || '{"field": "email", "message": "must be an e-mail address"}';
  end if;
  if not exists (select from accounts.roles as known where known.name = p_role) then
    v_fields := v_fields || jsonb_build_object('field', 'role', 'message',
      'must be one of ' || (select string_agg(known.name, ', ' order by known.rank) from accounts.roles as known));
  end if;
  v_fields := v_fields || accounts.wrong_profile(p_name, p_language);
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_fields);
  end if;
  perform platform.enter_context(p_tenant_id, 'live', null, null, null);
  perform accounts.hold_members((accounts.find_person(p_email)).id);
  perform accounts.add_person(p_email, coalesce(p_name, split_part(p_email, '@', 1)), coalesce(p_language, organization.language))
  from platform.organizations as organization where organization.id = p_tenant_id;
  v_person := accounts.hold_person((accounts.find_person(p_email)).id);
  perform accounts.join_organization(p_tenant_id, v_person.id, p_role, false);
  perform accounts.end_invitation('invitation.withdrawn', accounts.find_invitation_of(p_email));
  has_password := v_person.password_digest is not null;
  if not has_password and p_link_sha256 is not null then
    link_expires_at := accounts.make_password_link(v_person.id, p_link_sha256);
  end if;
  id := v_person.id;
  email := v_person.email;
  name := v_person.name;
  language := v_person.language;
  role := p_role;
  perform platform.enter_context(null, null, null, null, null);
end
$$;
comment on function accounts.create_user(uuid, text, text, text, text, text) is
  'Adds a person to an organization, and makes the person if the address is unknown. By default the name is the part of the address before the @, and the language that of the organization. A person without a password gets a link of 24 hours, whose secret has this SHA-256 (hexadecimal). 422 invalid_request names the wrong members, 409 conflict for a person who belongs to the organization.';
revoke execute on function accounts.create_user(uuid, text, text, text, text, text) from public;
