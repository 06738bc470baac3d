create function gateway.list_notes(p_limit integer default 50, p_offset integer default 0) returns json
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform platform.require_scope('notes:read');
  perform platform.require_page(p_limit, p_offset);
  return (
    select platform.page(coalesce(json_agg(gateway.notes_json(note) order by note.id desc), '[]'),
      (select count(*) from api.notes), p_limit, p_offset)
    from (select every.id from api.notes as every order by every.id desc limit p_limit offset p_offset) as page
    join api.notes as note on note.id = page.id);
end
$$;
comment on function gateway.list_notes(integer, integer) is 'GET /notes: a page of them, newest first.';
revoke execute on function gateway.list_notes(integer, integer) from public;
