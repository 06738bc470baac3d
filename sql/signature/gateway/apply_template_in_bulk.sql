create function gateway.apply_template_in_bulk(p_id uuid, p_rows jsonb, p_document_ids uuid[] default '{}', p_send boolean default false) returns json
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_template signature.templates;
  v_made record;
begin
  perform platform.require_scope('templates:write');
  v_template := signature.require_template(p_id);
  perform signature.hold_documents(p_document_ids, p_send);
  if not platform.has_plan_feature('bulk_send') then
    perform platform.fail(403, 'plan_feature_required:bulk_send', 'The plan of the organization does not include bulk_send.');
  end if;
  v_made := signature.make_envelopes(v_template, p_rows, p_document_ids, p_send);
  return json_build_object(
    'answer', (
      select json_build_object('created', coalesce(json_agg(made.envelope_id order by made.place) filter (where made.code is null), '[]'),
        'errors', coalesce(json_agg(case when made.fields is null then json_build_object('index', made.place, 'message', made.code)
          else json_build_object('index', made.place, 'message', made.code, 'fields', made.fields) end order by made.place) filter (where made.code is not null), '[]'))
      from unnest(v_made.rows) as made),
    'spent', v_made.spent, 'environment', v_template.environment);
end
$$;
comment on function gateway.apply_template_in_bulk(uuid, jsonb, uuid[], boolean) is
  E'@param id Id of the template.\n@param document_ids Ids of uploaded documents that every envelope gets, in this order.\n@param send {not null} Whether each envelope is sent immediately. Default: false.\n@slow\nPOST /templates/{id}/bulk: an envelope for each row. Answers {answer, spent, environment}: {created, errors} as the caller gets it, and what the gateway counts. A row that fails does not stop others. TypeScript has checked the form of p_rows, and masked and encrypted (base64) personal numbers. 403 plan_feature_required:bulk_send below Growth.';
revoke execute on function gateway.apply_template_in_bulk(uuid, jsonb, uuid[], boolean) from public;
