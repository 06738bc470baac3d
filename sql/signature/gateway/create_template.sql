create function gateway.create_template(
  p_name text, p_title text default null, p_message text default null, p_signing_order text default 'parallel', p_language text default null,
  p_expires_in_days integer default null, p_participants jsonb default '[]'
)
  returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  v_template signature.templates;
begin
  perform platform.require_scope('templates:write');
  v_template.name := p_name;
  v_template.title := p_title;
  v_template.message := p_message;
  v_template.signing_order := p_signing_order;
  v_template.language := p_language;
  v_template.expires_in_days := p_expires_in_days;
  v_template.participants := signature.whole_roster(p_participants);
  perform signature.refuse_wrong_template(v_template);
  insert into signature.templates as made (tenant_id, environment, name, title, message, signing_order, language, expires_in_days, participants)
  values (platform.tenant_id(), platform.environment(), p_name, p_title, p_message, p_signing_order, p_language, p_expires_in_days, v_template.participants)
  returning made.* into v_template;
  perform signature.record_template_event('template.created', v_template);
  return (select gateway.templates_json(answer) from api.templates as answer where answer.id = v_template.id);
end
$$;
comment on function gateway.create_template(text, text, text, text, text, integer, jsonb) is
  E'@param name {1..160} Name of the template.\n@param title {1..255} Title of the envelopes. Default: the name.\n@param message {..4000} Message to the participants.\n@param signing_order {signature.signing_orders, not null} Order in which participants act. Default: parallel.\n@param language {..35} Language tag of the texts that participants read, such as pt-BR or en. Default: the language of the organization.\n@param expires_in_days {1..365} Days from sending to the deadline. Default: 30.\nPOST /templates. TypeScript has checked the form of p_participants.';
revoke execute on function gateway.create_template(text, text, text, text, text, integer, jsonb) from public;
