create or replace function platform.page(p_items json, p_total bigint, p_limit integer, p_offset integer, p_next_cursor text) returns json
  language sql immutable set search_path = '' as $$
  select case
    when p_total is null
    then (select row_to_json(page) from (select p_items as items, p_next_cursor as next_cursor, p_limit as "limit") as page)
    -- Lists count one row more than platform.most_counted, so a greater total means that the list has more rows.
    when p_total > platform.most_counted()
    then (select row_to_json(page) from (
      select p_items as items, p_next_cursor as next_cursor, platform.most_counted() as total, p_limit as "limit", p_offset as "offset",
        true as total_capped) as page)
    else (select row_to_json(page) from (
      select p_items as items, p_next_cursor as next_cursor, p_total as total, p_limit as "limit", p_offset as "offset") as page)
  end
$$;
comment on function platform.page(json, bigint, integer, integer, text) is
  E'@param limit {1..200, not null} Maximum number of items in the page.\n@param offset {0..2147483647, not null} Number of items to skip.\n@param cursor {..200 cursor} The `next_cursor` of a page. The answer is the page after that page, without `total` and `offset`. The address in the header `Link` already has this value. Every page costs the same. Items that are added meanwhile do not shift the pages.\nA list as REST answers it. The total is exact up to platform.most_counted. The total is null when the list goes on from a cursor. The next cursor is null on the last page.';
revoke execute on function platform.page(json, bigint, integer, integer, text) from public;
