create function gateway.update_envelope(
  p_id uuid, p_title text default null, p_signing_order text default null, p_allow_delegation boolean default null,
  p_message text default '', p_expires_in_days integer default null, p_language text default '',
  p_jurisdiction text default null, p_field_placement text default null, p_external_id text default '',
  p_remind_every_days integer default null, p_has_remind_every_days boolean default false
)
  returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old signature.envelopes;
begin
  perform platform.require_scope('envelopes:write');
  -- Reminders may change until the end, and alone.
  if p_has_remind_every_days and num_nonnulls(p_title, p_signing_order, p_allow_delegation, p_expires_in_days, p_jurisdiction, p_field_placement) = 0
      and (p_message, p_language, p_external_id) is not distinct from ('', '', '') then
    v_old := signature.require_open(p_id);
  else
    v_old := signature.require_draft(p_id);
  end if;
  perform signature.refuse_wrong_texts(jsonb_build_object('title', p_title, 'external_id', p_external_id), jsonb_build_object('message', p_message));
  -- An empty text means that the member was not given. Null removes the text.
  perform signature.refuse_wrong_language(nullif(p_language, ''));
  if p_field_placement <> v_old.field_placement and exists (
      select from signature.fields as field where field.tenant_id = v_old.tenant_id and field.envelope_id = p_id) then
    perform platform.fail(409, 'conflict', 'The envelope has fields: field_placement changes only while the envelope has none.');
  end if;
  update signature.envelopes as envelope
  set title = coalesce(p_title, envelope.title),
    signing_order = coalesce(p_signing_order, envelope.signing_order),
    allow_delegation = coalesce(p_allow_delegation, envelope.allow_delegation),
    message = case when p_message = '' then envelope.message else p_message end,
    expires_in_days = coalesce(p_expires_in_days, envelope.expires_in_days),
    language = case when p_language = '' then envelope.language else p_language end,
    jurisdiction = coalesce(p_jurisdiction, envelope.jurisdiction),
    field_placement = coalesce(p_field_placement, envelope.field_placement),
    external_id = case when p_external_id = '' then envelope.external_id else p_external_id end,
    remind_every_days = case when p_has_remind_every_days then p_remind_every_days else envelope.remind_every_days end
  where envelope.tenant_id = v_old.tenant_id and envelope.id = p_id;
  perform platform.record_audit_event('envelope.changed', 'envelope', p_id, jsonb_strip_nulls(jsonb_build_object('signing_order', p_signing_order, 'field_placement', p_field_placement))
    || case when v_old.status in ('draft', 'ready') then signature.settle_draft(p_id) else signature.envelope_state(p_id) end, jsonb_strip_nulls(jsonb_build_object('title', p_title)));
  return (select gateway.envelopes_whole_json(answer) from api.envelopes as answer where answer.id = p_id);
end
$$;
comment on function gateway.update_envelope(uuid, text, text, boolean, text, integer, text, text, text, text, integer, boolean) is
  E'@param id Id of the envelope.\n@param title {1..255, not null} Title, shown to participants. A character that cannot be drawn in documents is refused.\n@param signing_order {signature.signing_orders, not null} Order in which participants act.\n@param allow_delegation {not null} Whether participants may hand their turn to someone else.\n@param message {..4000} Message to the participants. Null or an empty text removes the message.\n@param expires_in_days {1..365, not null} Days from sending to the deadline.\n@param language {..35} Language tag of the texts that participants read. Null or an empty text selects the language of the organization.\n@param jurisdiction {platform.jurisdictions, not null} Legal regime.\n@param field_placement {signature.field_placements, not null} Where signatures are shown. Changes only while the envelope has no fields.\n@param external_id {..255} Id of the envelope in your own system. Null or an empty text removes the id.\n@param remind_every_days {1..30} After how many days without a mail the participants whose turn it is are reminded. Null for never. Changes until the envelope has ended.\nSecond half of PATCH /envelopes/{id}: changes the given members of a draft. 409 conflict once the envelope was sent, except for remind_every_days alone.';
revoke execute on function gateway.update_envelope(uuid, text, text, boolean, text, integer, text, text, text, text, integer, boolean) from public;
