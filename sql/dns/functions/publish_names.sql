create or replace function dns.publish_names(p_zone_id integer, p_names text[]) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  null;
end
$$;
comment on function dns.publish_names(integer, text[]) is 'PLACEHOLDER';
revoke execute on function dns.publish_names(integer, text[]) from public;
