create function api.create_envelope(
  p_title text, p_signing_order text default 'parallel', p_allow_delegation boolean default false, p_message text default null,
  p_expires_in_days integer default 30, p_language text default null, p_jurisdiction text default null,
  p_field_placement text default 'report', p_external_id text default null, p_remind_every_days integer default null
)
  returns api.envelopes
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_id constant uuid := platform.uuidv7();
  v_answer api.envelopes;
begin
  perform platform.require_scope('envelopes:write');
  perform signature.refuse_wrong_texts(jsonb_build_object('title', p_title, 'external_id', p_external_id), jsonb_build_object('message', p_message));
  perform signature.refuse_wrong_language(p_language);
  insert into signature.envelopes (tenant_id, id, environment, title, message, signing_order, allow_delegation, language, jurisdiction,
    field_placement, expires_in_days, external_id, remind_every_days)
  values (c_tenant_id, c_id, platform.environment(), p_title, p_message, p_signing_order, p_allow_delegation, p_language,
    coalesce(p_jurisdiction, (select organization.jurisdiction from platform.organizations as organization where organization.id = c_tenant_id)),
    p_field_placement, p_expires_in_days, p_external_id, p_remind_every_days);
  -- Without a document the envelope is a draft, the default: nothing has to be settled.
  perform platform.record_audit_event('envelope.created', 'envelope', c_id, jsonb_build_object('signing_order', p_signing_order,
    'field_placement', p_field_placement, 'status', 'draft') || signature.envelope_state(c_id), jsonb_build_object('title', p_title));
  select answer.* into v_answer from api.envelopes as answer where answer.id = c_id;
  return v_answer;
end
$$;
comment on function api.create_envelope(text, text, boolean, text, integer, text, text, text, text, integer) is
  E'@param title {1..255} Title, shown to participants. A character that cannot be drawn in documents is refused.\n@param signing_order {signature.signing_orders, not null} Order in which participants act. Default: parallel.\n@param allow_delegation {not null} Whether participants may hand their turn to someone else. Default: false.\n@param message {..4000} Message to the participants.\n@param expires_in_days {1..365, not null} Days from sending to the deadline.\n@param language {..35} Language tag of the texts that participants read, such as pt-BR or en. Default: the language of the organization.\n@param jurisdiction {platform.jurisdictions} Legal regime. Default: the jurisdiction of the organization.\n@param field_placement {signature.field_placements, not null} Where signatures are shown. Default: report.\n@param external_id {..255} Id of the envelope in your own system.\n@param remind_every_days {1..30} After how many days without a mail the participants whose turn it is are reminded. Default: null, never.\nCreates an envelope as a draft.';
revoke execute on function api.create_envelope(text, text, boolean, text, integer, text, text, text, text, integer) from public;
