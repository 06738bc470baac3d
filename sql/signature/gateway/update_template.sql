create function gateway.update_template(
  p_id uuid, p_given text[], p_name text default null, p_title text default null, p_message text default null, p_signing_order text default null,
  p_language text default null, p_expires_in_days integer default null, p_participants jsonb default null
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_template signature.templates;
begin
  perform platform.require_scope('templates:write');
  -- Locked, so that of two changes at once the second is judged with what the first wrote.
  perform from signature.templates as template where template.tenant_id = platform.tenant_id() and template.id = p_id for no key update;
  v_template := signature.require_template(p_id);
  v_template.name := coalesce(p_name, v_template.name);
  v_template.title := case when 'title' = any (p_given) then p_title else v_template.title end;
  v_template.message := case when 'message' = any (p_given) then p_message else v_template.message end;
  v_template.signing_order := coalesce(p_signing_order, v_template.signing_order);
  v_template.language := case when 'language' = any (p_given) then p_language else v_template.language end;
  v_template.expires_in_days := case when 'expires_in_days' = any (p_given) then p_expires_in_days else v_template.expires_in_days end;
  v_template.participants := coalesce(signature.whole_roster(p_participants), v_template.participants);
  perform signature.refuse_wrong_template(v_template);
  update signature.templates as template
  set name = v_template.name, title = v_template.title, message = v_template.message, signing_order = v_template.signing_order, language = v_template.language,
    expires_in_days = v_template.expires_in_days, participants = v_template.participants, updated_at = clock_timestamp()
  where template.tenant_id = v_template.tenant_id and template.id = p_id returning template.* into v_template;
  perform signature.record_template_event('template.changed', v_template);
  return (select gateway.templates_json(answer) from api.templates as answer where answer.id = p_id);
end
$$;
comment on function gateway.update_template(uuid, text[], text, text, text, text, text, integer, jsonb) is
  E'@param id Id of the template.\n@param name {1..160, not null} Name of the template.\n@param title {1..255} Title of the envelopes. Null for the name.\n@param message {..4000} Message to the participants. Null removes the message.\n@param signing_order {signature.signing_orders, not null} Order in which participants act.\n@param language {..35} Language tag of the texts that participants read. Null for the language of the organization.\n@param expires_in_days {1..365} Days from sending to the deadline. Null for 30.\nPATCH /templates/{id}: changes the given members, which p_given names. Participants are replaced as a whole. Envelopes do not change.';
revoke execute on function gateway.update_template(uuid, text[], text, text, text, text, text, integer, jsonb) from public;
