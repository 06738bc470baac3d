create function jobs.remind(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
declare
  v_note notes.notes;
begin
  update notes.notes as note set reminded_at = now()
  where note.tenant_id = platform.tenant_id() and note.environment = platform.environment()
    and note.id = (p_arguments ->> 'id')::uuid and note.reminded_at is null
  returning note.* into v_note;
  if not found then
    return 'false';
  end if;
  perform platform.record_audit_event('note.reminded', 'note', v_note.id);
  perform platform.mail_contact('note_due', jsonb_build_object('text', v_note.text, 'at', platform.instant(v_note.remind_at)));
  return 'true';
end
$$;
comment on function jobs.remind(jsonb) is 'Reminds the organization''s contact of the note {id}, once; answers whether it did.';
revoke execute on function jobs.remind(jsonb) from public;
