create or replace function signature.refuse_control_characters(p_texts jsonb) returns void
  language plpgsql immutable set search_path = '' as $$
begin
  perform platform.refuse_wrong_arguments((
    select jsonb_object_agg(given.name, case when given.text ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]' then 'must not have line breaks or other control characters' end)
    from jsonb_each_text(p_texts) as given (name, text)));
end
$$;
comment on function signature.refuse_control_characters(jsonb) is
  '422 invalid_request for a text {name: text} of one line with a control character. Such texts stand in subjects and addresses of mails.';
revoke execute on function signature.refuse_control_characters(jsonb) from public;
