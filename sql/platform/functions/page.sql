create or replace function platform.page(p_items json, p_total bigint, p_limit integer, p_offset integer) returns json
  language sql immutable set search_path = '' as $$
  -- Lists count one more row than platform.most_counted: then it is known that there are more.
  select case when p_total > platform.most_counted()
    then (select row_to_json(page) from (
      select p_items as items, platform.most_counted() as total, p_limit as "limit", p_offset as "offset", true as total_capped) as page)
    else (select row_to_json(page) from (select p_items as items, p_total as total, p_limit as "limit", p_offset as "offset") as page)
  end
$$;
comment on function platform.page(json, bigint, integer, integer) is
  E'@param limit {1..200, not null} How many at most.\n@param offset {0..2147483647, not null} How many to skip.\nA list as REST answers it; total is exact up to platform.most_counted.';
revoke execute on function platform.page(json, bigint, integer, integer) from public;
