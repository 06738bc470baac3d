create function api.update_label(p_id uuid, p_name text default null, p_color text default '') returns api.labels
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_name text;
  v_label signature.labels;
  v_answer api.labels;
begin
  perform platform.require_scope('labels:write');
  v_name := signature.label_name(p_name);
  if v_name is not null then
    perform signature.hold_label_names();
  end if;
  v_label := signature.require_label(p_id);
  perform signature.refuse_taken_label(v_name, p_id);
  -- An empty text means that no color was given. Null removes the color.
  if v_name is not null or p_color is distinct from '' then
    update signature.labels as label
    set name = coalesce(v_name, label.name), name_key = coalesce(signature.label_key(v_name), label.name_key),
      color = case when p_color = '' then label.color else lower(p_color collate "C") end
    where label.tenant_id = v_label.tenant_id and label.id = p_id returning label.* into v_label;
    perform platform.record_audit_event('label.changed', 'label', p_id,
      jsonb_build_object('record_sha256', signature.label_record(v_label)), jsonb_strip_nulls(jsonb_build_object('name', v_name)));
  end if;
  select answer.* into v_answer from api.labels as answer where answer.id = p_id;
  return v_answer;
end
$$;
comment on function api.update_label(uuid, text, text) is
  E'@param id Id of the label.\n@param name {1..60, not null} Name of the label. Space at its ends is removed. Upper and lower case are the same name: no other label of the environment may have it.\n@param color {..7, /^#[0-9A-Fa-f]{6}$/ must have the form #rrggbb} Color of the label: # and six hexadecimal digits. Null removes the color.\nChanges the given members of a label. Returns 409 conflict for a name that another label has.';
revoke execute on function api.update_label(uuid, text, text) from public;
