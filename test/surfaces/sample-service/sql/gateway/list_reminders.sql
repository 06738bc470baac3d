create function gateway.list_reminders(p_limit integer default 50, p_offset integer default 0) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('notes:read');
  perform platform.require_page(p_limit, p_offset);
  return (
    select platform.page(coalesce(json_agg(gateway.reminders_json(reminder) order by reminder.id desc), '[]'),
      (select count(*) from api.reminders), p_limit, p_offset)
    from (select every.id from api.reminders as every order by every.id desc limit p_limit offset p_offset) as page
    join api.reminders as reminder on reminder.id = page.id);
end
$$;
comment on function gateway.list_reminders(integer, integer) is 'GET /reminders: a page of them, newest first.';
revoke execute on function gateway.list_reminders(integer, integer) from public;
