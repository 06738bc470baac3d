--! owner selo_system
-- Looks across tenants: a daily job removes what is kept of deleted zones.
create function jobs.delete_old_zones(p_limit integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  v_deleted integer;
begin
  delete from dns.deleted_zones as kept
  where (kept.tenant_id, kept.id) in (
    select old.tenant_id, old.id from dns.deleted_zones as old
    where old.deleted_at < now() - interval '7 days' and (not old.is_taken or old.deleted_at < now() - interval '30 days')
    order by old.deleted_at limit p_limit);
  get diagnostics v_deleted = row_count;
  return v_deleted;
end
$$;
comment on function jobs.delete_old_zones(integer) is 'Removes what is kept of zones that were deleted more than seven days ago, or whose names were taken more than 30 days ago, at most so many. Answers how many.';
revoke execute on function jobs.delete_old_zones(integer) from public;
grant execute on function jobs.delete_old_zones(integer) to selo_worker;
