create or replace function platform.reference_digests() returns table (table_name text, digest text)
  language plpgsql stable security definer
  -- The function reads the tables and no index: an edit may have kept a row out of an index.
  set search_path = '' set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off as $$
begin
  for table_name in
    select distinct covered.table_name from platform.audit_coverage_of_all() as covered
    where covered.check_name = 'reference_data' order by covered.table_name
  loop
    execute format($sql$
      select encode(sha256(convert_to(coalesce(string_agg(line.text, E'\n' order by line.text collate "C"), ''), 'UTF8')), 'hex')
      from (select row_to_json(reference)::text as text from %s as reference) as line$sql$, table_name::regclass)
    into digest;
    return next;
  end loop;
end
$$;
comment on function platform.reference_digests() is
  'SHA-256 over the rows of each table of reference data, which only migrations change. The rows are JSON, in the order of their bytes.';
revoke execute on function platform.reference_digests() from public;
grant execute on function platform.reference_digests() to selo_system;
