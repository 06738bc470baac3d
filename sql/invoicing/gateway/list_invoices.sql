create function gateway.list_invoices(
  p_status text[] default null, p_q text default null, p_period text default 'all', p_from timestamptz default null, p_to timestamptz default null, p_fields text[] default null, p_cursor text default null,
  p_limit integer default platform.page_size(), p_offset integer default 0
)
  returns json language plpgsql stable security definer set search_path = '' as $$
declare
  c_tenant_id constant uuid := platform.tenant_id();
  c_environment constant text := platform.environment();
  -- macOS writes an accent as a character behind its letter.
  c_q constant text := lower(normalize(p_q, nfc));
  v_after uuid;
  v_since timestamptz;
  v_count bigint;
  v_ids uuid[];
begin
  perform platform.require_scope('invoices:read');
  v_after := (platform.read_cursor('list_invoices', '{uuid}', p_cursor, p_offset))[1];
  select case p_period
      when '7d' then (invoicing.today() - 6)::timestamp at time zone organization.time_zone
      when '30d' then (invoicing.today() - 29)::timestamp at time zone organization.time_zone
      when 'month' then date_trunc('month', invoicing.today()::timestamp) at time zone organization.time_zone
      when 'year' then date_trunc('year', invoicing.today()::timestamp) at time zone organization.time_zone
    end into v_since
  from platform.organizations as organization where organization.id = c_tenant_id;
  -- One additional id says whether a next page exists.
  select count(*), array_agg(found.id order by found.place) filter (where found.place > p_offset and found.place <= p_offset::bigint + p_limit)
    into v_count, v_ids
  from (
    select invoice.id, row_number() over (order by invoice.id desc) as place
    from invoicing.invoices as invoice
    where invoice.tenant_id = c_tenant_id and invoice.environment = c_environment and (v_after is null or invoice.id < v_after)
      and (p_status is null or invoice.status = any (p_status)) and (v_since is null or invoice.created_at >= v_since)
      and (p_from is null or invoice.created_at >= p_from) and (p_to is null or invoice.created_at < p_to)
      and (p_q is null or strpos(lower(normalize(invoice.customer ->> 'name', nfc)), c_q) > 0 or strpos(lower(invoice.customer ->> 'document'), c_q) > 0
        or strpos(lower(normalize(invoice.external_ref, nfc)), c_q) > 0 or strpos(lower(normalize(invoice.description, nfc)), c_q) > 0
        or starts_with(invoice.number::text, p_q) or starts_with(invoice.access_key, p_q))
    order by invoice.id desc
    limit case when v_after is null then greatest(platform.most_counted(), p_offset::bigint + p_limit) else p_limit end + 1
  ) as found;
  return platform.page(
    case when p_fields is not null then gateway.invoices_chosen(coalesce(v_ids, '{}'), p_fields) else (
      select coalesce(json_agg(listed.item order by page.place), '[]')
      from unnest(v_ids) with ordinality as page (id, place)
      cross join lateral (select gateway.invoices_json(invoice) as item from api.invoices as invoice where invoice.id = page.id limit 1) as listed) end,
    case when v_after is null then v_count end, p_limit, p_offset,
    case when v_count > p_offset::bigint + p_limit then platform.cursor_after('list_invoices', v_ids[p_limit]::text) end);
end
$$;
comment on function gateway.list_invoices(text[], text, text, timestamptz, timestamptz, text[], text, integer, integer) is
  E'@param status {invoicing.statuses} Only invoices in one of these states, with commas between them.\n@param q {..255} Only invoices with this text in the customer, the document, `external_ref` or the description, whatever its case and however its accents are written, or whose number or access key begins with it.\n@param period {..5, /^(7d|30d|month|year|all)$/ must be one of 7d, 30d, month, year and all} Only invoices made in this period, in the time zone of the organization: 7d (today and the six days before), 30d, month, year, or all.\n@param from Only invoices made at or after this instant.\n@param to Only invoices made before this instant.\n@param fields {members of api.invoices} Only these members of each item.\nGET /invoices: a page, newest first.';
revoke execute on function gateway.list_invoices(text[], text, text, timestamptz, timestamptz, text[], text, integer, integer) from public;
