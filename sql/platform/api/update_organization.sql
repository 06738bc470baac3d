create function api.update_organization(
  p_name text default null, p_contact_email text default null, p_language text default null, p_time_zone text default null, p_jurisdiction text default null
)
  returns api.organization language plpgsql volatile security definer set search_path = '' as $$
declare
  c_saved constant text[] := platform.saved_context();
  v_fields jsonb;
begin
  perform platform.require_scope('organization:manage');
  v_fields := platform.wrong_organization(p_name, nullif(p_contact_email, ''), p_jurisdiction, p_language, p_time_zone);
  if v_fields <> '[]' then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_fields);
  end if;
  perform from platform.organizations as organization where organization.id = platform.tenant_id() for no key update;
  update platform.organizations as organization set
    name = coalesce(p_name, organization.name), language = coalesce(p_language, organization.language),
    time_zone = coalesce(p_time_zone, organization.time_zone), jurisdiction = coalesce(p_jurisdiction, organization.jurisdiction),
    contact_email = case when p_contact_email is null then organization.contact_email else nullif(p_contact_email, '') end
  where organization.id = platform.tenant_id();
  -- The organization belongs to both environments. Its chain is in live.
  perform platform.restore_context(array[c_saved[1], 'live'] || c_saved[3:]);
  perform platform.record_audit_event('organization.changed', 'organization', platform.tenant_id(), jsonb_build_object('members', array_remove(array[
    case when p_name is not null then 'name' end, case when p_contact_email is not null then 'contact_email' end, case when p_language is not null then 'language' end,
    case when p_time_zone is not null then 'time_zone' end, case when p_jurisdiction is not null then 'jurisdiction' end], null)) || platform.organization_state(platform.tenant_id()));
  perform platform.restore_context(c_saved);
  return (select changed from api.organization as changed);
end
$$;
comment on function api.update_organization(text, text, text, text, text) is
  E'@param name {1..255, not null} Name of the organization.\n@param contact_email {..254, not null} E-mail address to which Selo writes about the organization. An empty text removes it.\n@param language {..35, not null} Language tag such as pt-BR.\n@param time_zone {..64, not null} IANA time zone name such as America/Sao_Paulo.\n@param jurisdiction {platform.jurisdictions, not null} Jurisdiction of new envelopes that name none.\nChanges the settings of the organization, in both environments. A member that is absent stays as it is. Envelopes that exist keep their jurisdiction.';
revoke execute on function api.update_organization(text, text, text, text, text) from public;
