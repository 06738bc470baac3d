--! owner selo_system
-- Looks across tenants: a seal covers the chains of all organizations, and the tenant is an argument.
create or replace function platform.audit_seal_path(p_tenant_id uuid, p_environment text, p_subject_id uuid, p_seq bigint) returns json
  language plpgsql stable security definer set search_path = ''
  -- The heads of 100,000 chains are sorted in memory.
  set work_mem = '32MB' as $$
declare
  v_leaf platform.audit_seal_leaves;
  v_leaves bytea;
  v_index bigint;
  v_path record;
  v_organizations bytea;
  v_organization_index bigint;
  v_organizations_path record;
begin
  -- A row belongs to the first seal that covers its head.
  select leaf.* into v_leaf
  from platform.audit_seal_leaves as leaf
  join platform.audit_seals as seal on seal.number = leaf.seal_number
  where leaf.tenant_id = p_tenant_id and leaf.environment = p_environment and leaf.subject_id = p_subject_id
  order by leaf.seal_number desc limit 1;
  if v_leaf.seq is null or v_leaf.seq < p_seq then
    return null;
  end if;

  -- The trees of platform.audit_heads_root and platform.audit_root.
  select string_agg(sha256('\x00'::bytea || head.leaf), ''::bytea order by head.subject_id, head.environment),
      count(*) filter (where (head.subject_id, head.environment) < (p_subject_id, p_environment))
    into v_leaves, v_index
  from (
    -- The leaf of platform.audit_leaf. A call for each of 100,000 leaves takes longer than all else.
    select distinct on (leaf.subject_id, leaf.environment) leaf.subject_id, leaf.environment,
      uuid_send(leaf.subject_id) || int8send(leaf.seq) || leaf.hash as leaf
    from platform.audit_seal_leaves as leaf
    where leaf.tenant_id = p_tenant_id and leaf.seal_number <= v_leaf.seal_number
    order by leaf.subject_id, leaf.environment, leaf.seal_number desc
  ) as head;
  v_path := platform.merkle_path(v_leaves, v_index);

  with recursive organization (id) as (
    (select head.tenant_id from platform.audit_seal_roots as head order by head.tenant_id limit 1)
    union all
    select (
      select head.tenant_id from platform.audit_seal_roots as head
      where head.tenant_id > organization.id order by head.tenant_id limit 1)
    from organization where organization.id is not null
  )
  select string_agg(sha256('\x00'::bytea || uuid_send(organization.id) || head.root), ''::bytea order by organization.id),
      count(*) filter (where organization.id < p_tenant_id)
    into v_organizations, v_organization_index
  from organization
  cross join lateral (
    select kept.root from platform.audit_seal_roots as kept
    where kept.tenant_id = organization.id and kept.seal_number <= v_leaf.seal_number order by kept.seal_number desc limit 1
  ) as head;
  v_organizations_path := platform.merkle_path(v_organizations, v_organization_index);

  if not exists (
      select from platform.audit_events as event
      where event.tenant_id = p_tenant_id and event.environment = p_environment and event.subject_id = p_subject_id
        and event.seq = v_leaf.seq and event.hash = v_leaf.hash)
    or not exists (
      select from platform.audit_seal_roots as head
      where head.tenant_id = p_tenant_id and head.seal_number = v_leaf.seal_number and head.root = v_path.root)
    or not exists (
      select from platform.audit_seals as seal
      where seal.number = v_leaf.seal_number and seal.root = v_organizations_path.root) then
    raise exception 'the chain of % is not what the audit seal % covers', p_subject_id, v_leaf.seal_number;
  end if;
  return json_build_object(
    'number', v_leaf.seal_number,
    'leaf', json_build_object('seq', v_leaf.seq, 'hash', encode(v_leaf.hash, 'hex')),
    'organization_path', platform.merkle_path_json(v_index, octet_length(v_leaves) / 32, v_path.hashes),
    'seal_path', platform.merkle_path_json(v_organization_index, octet_length(v_organizations) / 32, v_organizations_path.hashes));
end
$$;
comment on function platform.audit_seal_path(uuid, text, uuid, bigint) is
  'The newest sealed head of a chain, the number of the first seal that covers it, and the two paths from this head to the root of that seal: {number, leaf: {seq, hash}, organization_path, seal_path}, a path being {index, size, hashes}. Null before a seal covers the event p_seq of the chain. Raises an error where rows are not what was sealed.';
revoke execute on function platform.audit_seal_path(uuid, text, uuid, bigint) from public;
grant execute on function platform.audit_seal_path(uuid, text, uuid, bigint) to selo_owner;
