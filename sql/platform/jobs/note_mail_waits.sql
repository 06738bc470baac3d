create function jobs.note_mail_waits(p_arguments jsonb) returns jsonb
  language plpgsql volatile set search_path = '' as $$
begin
  perform platform.note_mail_outcome((p_arguments ->> 'id')::uuid, false);
  return '{}';
end
$$;
comment on function jobs.note_mail_waits(jsonb) is
  'Records that the last attempt to send the mail {id} failed. The mail stays: `selo jobs retry` sends it.';
revoke execute on function jobs.note_mail_waits(jsonb) from public;
