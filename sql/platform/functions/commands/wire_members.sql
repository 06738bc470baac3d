create or replace function platform.wire_members(p_view regclass) returns table (name text, value text, of_one boolean)
  language plpgsql stable set search_path = '' as $$
declare
  v_comment text := obj_description(p_view, 'pg_class');
  v_hidden text[] := array(
    select attribute.attname from pg_catalog.pg_attribute as attribute
    where attribute.attrelid = p_view and attribute.attnum > 0 and col_description(p_view, attribute.attnum) ~ '(?n)^@behavior -attribute:select$');
begin
  if to_regclass('gateway.view_comments') is not null then
    select coalesce(max(kept.comment), v_comment) into v_comment from gateway.view_comments as kept
    where kept.view = p_view::text and kept.column_name = '';
    v_hidden := v_hidden || array(
      select kept.column_name from gateway.view_comments as kept
      where kept.view = p_view::text and kept.comment ~ '(?n)^@behavior -attribute:select$');
  end if;
  return query
    select member.name, member.value, member.of_one
    from (
      select 1 as part, attribute.attnum::integer as place, attribute.attname::text as name,
        case
          -- JSON's numbers are floats to many readers, and money is none.
          when attribute.atttypid = 'numeric'::regtype then format('%%1$s.%I::text', attribute.attname)
          when attribute.atttypid <> 'timestamptz'::regtype then format('%%1$s.%I', attribute.attname)
          when col_description(p_view, attribute.attnum) ~ '(?n)^@hashed$' then format('platform.instant(%%1$s.%I)', attribute.attname)
          else format('platform.wire_instant(%%1$s.%I)', attribute.attname)
        end as value, false as of_one
      from pg_catalog.pg_attribute as attribute
      where attribute.attrelid = p_view and attribute.attnum > 0 and not attribute.attisdropped and attribute.attname <> all (v_hidden)
      union all
      select 2, tag.place::integer, tag.parts[2], format('%s(%%1$s.%I)', tag.parts[3], tag.parts[4]), tag.parts[1] <> ''
      from regexp_matches(v_comment, '(?n)^@member(OfOne|) (\w+) ([\w.]+)\((\w+)\)$', 'g') with ordinality as tag (parts, place)
    ) as member
    order by member.part, member.place;
end
$$;
comment on function platform.wire_members(regclass) is
  'The members of a row of a view as REST answers the row, in their order. First come the columns, save those with the tag "@behavior -attribute:select", then the members that tags of the view make of a column ("@member is_new parcels.is_new(id)"). Members with the tag @memberOfOne (of_one) are in the answer of one row, and not in the items of a list. The value is a format for the name of the row. Instants are in UTC with six digits, and decimal numbers are texts. An instant that is part of a hash or a signature has the tag @hashed in its column''s comment, and is shown as it is hashed.';
revoke execute on function platform.wire_members(regclass) from public;
