create function gateway.apply_template(p_id uuid, p_title text default null, p_recipients jsonb default '[]') returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_row signature.template_row;
begin
  perform platform.require_scope('templates:write');
  v_row := ((signature.make_envelopes(signature.require_template(p_id), jsonb_build_array(jsonb_build_object('title', p_title, 'recipients', p_recipients)), '{}', false)).rows)[1];
  if v_row.code = 'template_participant_missing_recipient' then
    perform platform.fail(422, 'template_participant_missing_recipient', 'A placeholder of the template is left without a name or an e-mail address; fields names each.', v_row.fields);
  elsif v_row.code is not null then
    perform platform.fail(422, 'invalid_request', 'The request is not valid; fields names each wrong member.', v_row.fields);
  end if;
  return (select gateway.envelopes_whole_json(answer) from api.envelopes as answer where answer.id = v_row.envelope_id);
end
$$;
comment on function gateway.apply_template(uuid, text, jsonb) is
  E'@param id Id of the template.\n@param title {1..255} Title of the envelope. Default: the title of the template, otherwise its name.\nPOST /templates/{id}/apply: makes a draft. TypeScript has checked the form of p_recipients, and masked and encrypted (base64) personal numbers. 422 template_participant_missing_recipient names each placeholder without a recipient: nothing was made.';
revoke execute on function gateway.apply_template(uuid, text, jsonb) from public;
