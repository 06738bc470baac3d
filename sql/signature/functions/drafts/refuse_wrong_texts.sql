create or replace function signature.refuse_wrong_texts(p_lines jsonb, p_texts jsonb default '{}') returns void
  language sql immutable set search_path = '' as $$
  select platform.refuse_wrong_arguments((
    select jsonb_object_agg(given.name, signature.wrong_text(given.text, given.is_line))
    from (
      select line.key as name, line.value as text, true as is_line from jsonb_each_text(p_lines) as line
      union all
      select kept.key, kept.value, false from jsonb_each_text(p_texts) as kept
    ) as given))
$$;
comment on function signature.refuse_wrong_texts(jsonb, jsonb) is
  '422 invalid_request for texts of one line {name: text}, or texts of several lines, that signature.wrong_text finds wrong. Such texts stand in subjects and addresses of mails, on pages and in signed records.';
revoke execute on function signature.refuse_wrong_texts(jsonb, jsonb) from public;
