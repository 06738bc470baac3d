-- Balances are the organization's: both environments see the same.
create view api.credit_balances as
select
  kind.name as kind,
  coalesce((select sum(slot.balance) from platform.credit_balances as slot
    where slot.tenant_id = organization.id and slot.kind = kind.name), 0)::bigint as balance
from platform.organizations as organization
cross join platform.credit_kinds as kind
where (select platform.may_read('billing:read'));
comment on view api.credit_balances is E'@primaryKey kind\n@foreignKey (kind) references platform.credit_kinds (name)\n@behavior -query:resource:single\nThe organization''s balance of each kind of credit. Balances belong to the organization, so live and test see the same.';
comment on column api.credit_balances.kind is E'@notNull\nKind of credit.';
comment on column api.credit_balances.balance is E'@notNull\nCredits left.';
grant select on api.credit_balances to selo_app, selo_analyst;
