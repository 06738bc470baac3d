create or replace function platform.command_parameters()
  returns table (command text, place integer, name text, type text, is_optional boolean, default_value text, limits jsonb, description text, is_argument boolean)
  language sql stable set search_path = '' as $$
  select command.name, input.place::integer, parameter.name, type.name, input.place > function.pronargs - function.pronargdefaults,
    pg_catalog.pg_get_function_arg_default(function.oid, input.place::integer),
    case when tag.parts[1] is not null then platform.read_limits(type.name, tag.parts[1]) end, tag.parts[2], function.oid = command.oid
  from gateway.commands as command
  -- The members of a batch's items are parameters of the function that checks them.
  cross join lateral (select (regexp_match(obj_description(command.oid, 'pg_proc'), '(?n)^@items (\S+)$'))[1] as checked_by) as items
  join pg_catalog.pg_proc as function on function.oid in (command.oid, items.checked_by::regproc)
  cross join lateral unnest(function.proargtypes::oid[]) with ordinality as input (type, place)
  cross join lateral (select format_type(input.type, null) as name) as type
  cross join lateral (select regexp_replace(function.proargnames[input.place], '^p_', '') as name) as parameter
  -- The comment of platform.page describes the parameters of a page, once for all lists that do not describe them themselves.
  cross join lateral (select concat_ws(E'\n', obj_description(function.oid, 'pg_proc'), case when parameter.name in ('limit', 'offset', 'cursor')
    then obj_description('platform.page(json, bigint, integer, integer, text)'::regprocedure::oid, 'pg_proc') end) as text) as comment
  -- One pattern for all parameters: to compile one for each would take most of the time of the repeatable step.
  left join lateral (
    select said.parts[2:3] as parts from regexp_matches(comment.text, '(?n)^@param (\w+) (?:\{(.*)\} )?(.*)$', 'g') as said (parts)
    where said.parts[1] = parameter.name limit 1) as tag on true
  order by command.name collate "C", function.oid = command.oid desc, input.place
$$;
comment on function platform.command_parameters() is
  'The parameters of each command, and the members of an item of its batch (is_argument: false). The source is the declarations and the tags of comments: "@param label {..200} Words", "@items function".';
revoke execute on function platform.command_parameters() from public;
