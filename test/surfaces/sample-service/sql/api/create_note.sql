create function api.create_note(p_text text, p_remind_at timestamptz default null) returns api.notes
  language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  v_note notes.notes;
  v_answer api.notes;
begin
  perform platform.require_scope('notes:write');
  -- One at a time for each organization and environment, or two at once would both find room for one.
  perform from platform.projects as project
  where project.tenant_id = c_tenant_id and project.environment = platform.environment() for no key update;
  if (select count(*) from notes.notes as other where other.tenant_id = c_tenant_id and other.environment = platform.environment())
      >= platform.setting('most_notes')::integer then
    perform platform.fail(409, 'conflict', format('There are %s notes already, which is the most there can be.', platform.setting('most_notes')));
  end if;
  insert into notes.notes (tenant_id, environment, text, remind_at)
  values (c_tenant_id, platform.environment(), p_text, p_remind_at) returning * into v_note;
  perform platform.record_audit_event('note.created', 'note', v_note.id, notes.note_state(v_note.id));
  perform webhooks.emit_event('note.created', v_note.id, json_build_object('text', v_note.text), v_note.created_at);
  if p_remind_at is not null then
    perform platform.add_job('notes__remind', json_build_object('id', v_note.id), p_run_at => p_remind_at);
  end if;
  select answer.* into v_answer from api.notes as answer where answer.id = v_note.id;
  return v_answer;
end
$$;
comment on function api.create_note(text, timestamptz) is
  E'@param text {1..200} Its words.\n@param remind_at When the organization''s contact is reminded of it; never unless given.\nMakes a note.';
revoke execute on function api.create_note(text, timestamptz) from public;
