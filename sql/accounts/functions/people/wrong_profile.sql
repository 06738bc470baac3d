create or replace function accounts.wrong_profile(p_name text, p_language text) returns jsonb
  language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field', judged.field, 'message', judged.message)), '[]')
  from (values
    ('name', case when char_length(p_name) not between 1 and 255 then 'must have 1 to 255 characters'
      when p_name ~ '[[:cntrl:]]' then 'must not have control characters' else platform.undrawable_character(p_name) end),
    ('language', case when p_language !~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' or char_length(p_language) > 35 then 'must be a language tag such as pt-BR' end)
  ) as judged (field, message)
  where judged.message is not null
$$;
comment on function accounts.wrong_profile(text, text) is 'What is wrong with the name and the language of a person, as fields of an error. Null is not judged.';
revoke execute on function accounts.wrong_profile(text, text) from public;
