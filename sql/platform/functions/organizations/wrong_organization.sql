create or replace function platform.wrong_organization(p_name text, p_contact_email text, p_jurisdiction text, p_language text, p_time_zone text) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field', judged.field, 'message', judged.message) order by judged.place), '[]')
  from (values
    (1, 'name', case when char_length(p_name) not between 1 and 255 then 'must have 1 to 255 characters' else platform.undrawable_character(p_name) end),
    (2, 'jurisdiction', case when p_jurisdiction not in (select known.name from platform.jurisdictions as known) then 'must be br, us or intl' end),
    -- The view reads every file of the time zone database, which takes 20 ms.
    (3, 'time_zone', case when p_time_zone <> 'UTC' and not exists (select from pg_catalog.pg_timezone_names as known where known.name = p_time_zone)
      then 'must be an IANA time zone name' end),
    (4, 'language', case when p_language !~ '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' or char_length(p_language) > 35 then 'must be a language tag such as pt-BR' end),
    (5, 'contact_email', case when not platform.is_email(p_contact_email) then 'must be an e-mail address' end)
  ) as judged (place, field, message)
  where judged.message is not null
$$;
comment on function platform.wrong_organization(text, text, text, text, text) is 'What is wrong with the settings of an organization, as fields of an error. Null is not judged.';
revoke execute on function platform.wrong_organization(text, text, text, text, text) from public;
