create or replace function platform.page(p_items json, p_total bigint, p_limit integer, p_offset integer, p_next_cursor text) returns json
  language sql immutable set search_path = '' as $$
  select case
    when p_total is null
    then (select row_to_json(page) from (select p_items as items, p_next_cursor as next_cursor, p_limit as "limit") as page)
    -- Lists count one more row than platform.most_counted: then it is known that there are more.
    when p_total > platform.most_counted()
    then (select row_to_json(page) from (
      select p_items as items, p_next_cursor as next_cursor, platform.most_counted() as total, p_limit as "limit", p_offset as "offset",
        true as total_capped) as page)
    else (select row_to_json(page) from (
      select p_items as items, p_next_cursor as next_cursor, p_total as total, p_limit as "limit", p_offset as "offset") as page)
  end
$$;
comment on function platform.page(json, bigint, integer, integer, text) is
  E'@param limit {1..200, not null} How many at most.\n@param offset {0..2147483647, not null} How many to skip.\n@param cursor {..200 cursor} Only what follows a page: the `next_cursor` of that page, or the address in its `Link`. The answer has no `total` and no `offset`. Every page costs the same, and rows that are added meanwhile move nothing.\nA list as REST answers it. Its total is exact up to platform.most_counted, and null where the list goes on from a cursor. The next cursor is null on the last page.';
revoke execute on function platform.page(json, bigint, integer, integer, text) from public;
