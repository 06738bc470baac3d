create function api.create_label(p_name text, p_color text default null) returns api.labels
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  v_label signature.labels;
  v_answer api.labels;
begin
  perform platform.require_scope('labels:write');
  v_label.name := signature.label_name(p_name);
  perform signature.hold_label_names();
  perform signature.refuse_taken_label(v_label.name);
  if (select count(*) from signature.labels as label where label.tenant_id = c_tenant_id and label.environment = c_environment) >= 200 then
    perform platform.fail(409, 'conflict', 'The organization already has 200 labels in this environment, the maximum.');
  end if;
  insert into signature.labels (tenant_id, environment, name, name_key, color)
  values (c_tenant_id, c_environment, v_label.name, signature.label_key(v_label.name), lower(p_color collate "C"))
  returning * into v_label;
  perform platform.record_audit_event('label.created', 'label', v_label.id,
    jsonb_build_object('record_sha256', signature.label_record(v_label)), jsonb_build_object('name', v_label.name));
  select answer.* into v_answer from api.labels as answer where answer.id = v_label.id;
  return v_answer;
end
$$;
comment on function api.create_label(text, text) is
  E'@param name {1..60} Name of the label. Space at its ends is removed. Upper and lower case are the same name: no other label of the environment may have it.\n@param color {..7, /^#[0-9A-Fa-f]{6}$/ must have the form #rrggbb} Color of the label: # and six hexadecimal digits. Default: none.\nCreates a label. Returns 409 conflict for a name that another label has, and when there are 200 labels.';
revoke execute on function api.create_label(text, text) from public;
