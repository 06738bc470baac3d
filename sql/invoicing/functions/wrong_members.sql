create or replace function invoicing.wrong_members(p_member text, p_value jsonb, p_names text[], p_optional text[] default '{}') returns jsonb
  language sql immutable set search_path = '' as $$
  select case when p_value is null then '{}'
    when jsonb_typeof(p_value) <> 'object' then jsonb_build_object(p_member, 'must be an object')
    else coalesce((
      select jsonb_object_agg(p_member || '.' || member.name, member.fault)
      from (
        select given.name, 'is not a member of ' || p_member as fault from jsonb_object_keys(p_value) as given (name) where given.name <> all (p_names || p_optional)
        union all
        select needed.name, 'must be a text' from unnest(p_names) as needed (name) where jsonb_typeof(p_value -> needed.name) is distinct from 'string'
        union all
        select other.name, 'must be a text or null' from unnest(p_optional) as other (name) where jsonb_typeof(p_value -> other.name) not in ('string', 'null')
      ) as member), '{}') end
$$;
comment on function invoicing.wrong_members(text, jsonb, text[], text[]) is 'What is wrong with the form of an object in a request: members of it that must be texts, and optional ones that may be null. {field: message}, empty if nothing is wrong.';
revoke execute on function invoicing.wrong_members(text, jsonb, text[], text[]) from public;
