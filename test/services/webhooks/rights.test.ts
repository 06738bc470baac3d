// What the service lets whom do. A right that is not here is refused.
import { expect, test } from "vitest";
import { webhooks } from "../../../src/services/webhooks/service.ts";
import { createTestDatabase } from "../../support/database.ts";
import { testRights } from "../../support/service-rights.ts";

testRights(webhooks, {
  commands: {
    "webhooks:manage": [
      "create_webhook",
      "delete_webhook",
      "disable_webhook",
      "enable_webhook",
      "get_event",
      "get_webhook",
      "list_events",
      "list_webhook_deliveries",
      "list_webhooks",
      "open_webhook_stream",
      "replay_webhook",
      "retry_webhook_delivery",
      "rotate_webhook_secret",
      "test_webhook",
      "update_webhook",
    ],
  },
  views: {
    "webhooks:manage": ["api.webhook_deliveries", "api.webhook_endpoints", "api.webhook_events"],
    anyone: ["api.webhook_event_kinds"],
  },
  logins: {
    selo_app: ["gateway.close_webhook_streams", "gateway.read_webhook_streams"],
    selo_worker: [
      "jobs.add_webhook_day",
      "jobs.claim_deliveries",
      "jobs.delete_old_deliveries",
      "jobs.drop_webhook_day",
      "jobs.leave_dispatch",
      "jobs.record_attempts",
      "jobs.release_deliveries",
    ],
  },
  loginsOnTables: [
    "selo_app select webhooks.delivery_statuses",
    "selo_app select webhooks.delivery_triggers",
    "selo_app select webhooks.disabled_reasons",
    "selo_app select webhooks.endpoint_statuses",
  ],
  systemOnTables: [
    "delete webhooks.attempts_otherwise",
    "delete webhooks.deliveries",
    "delete webhooks.dispatchers",
    "delete webhooks.endpoints",
    "delete webhooks.events_otherwise",
    "insert webhooks.attempts",
    "insert webhooks.dispatchers",
    "select webhooks.attempts",
    "select webhooks.attempts_otherwise",
    "select webhooks.deliveries",
    "select webhooks.dispatchers",
    "select webhooks.endpoints",
    "select webhooks.events",
    "select webhooks.events_otherwise",
    "update webhooks.deliveries",
    "update webhooks.dispatchers",
    "update webhooks.endpoints",
  ],
  tables: {
    ofEnvironments: ["webhooks.attempts", "webhooks.deliveries", "webhooks.endpoints", "webhooks.events"],
    ofOrganizations: [],
    lookUps: [],
    ofNobody: [
      "webhooks.delivery_statuses",
      "webhooks.delivery_triggers",
      "webhooks.disabled_reasons",
      "webhooks.dispatchers",
      "webhooks.endpoint_statuses",
      "webhooks.event_kinds",
    ],
    refuse: {},
  },
  unrecorded: {
    "gateway.close_webhook_streams": "a stream ends with its connection; that it was opened is recorded",
    "gateway.read_webhook_streams": "what waits for a stream is read",
    "jobs.claim_deliveries": "a lease of work; the dispatcher's own row",
    "jobs.leave_dispatch": "the dispatcher's own row",
    "jobs.record_attempts": "what became of deliveries, which are a record themselves",
    "jobs.release_deliveries": "the end of leases",
    "webhooks.count_outcomes": "a count of failures; what disables an endpoint records",
    "webhooks.delete_old_deliveries": "deliveries grow old",
    "webhooks.delete_old_streams": "streams that nobody reads grow old",
    "webhooks.emit_events": "written with a fact that has its event of the trail",
    "webhooks.retry_deliveries": "the command that asks for it records",
    "webhooks.skip_deliveries": "what became of deliveries",
  },
  refusedToGateway: [
    "select gateway.webhook_deliveries_chosen('{}', '{id}')",
    "select gateway.create_webhook(null, 'https://example.com', false, '{*}', '')",
    "select webhooks.emit_event('webhook.test', null, '{}', now())",
    "select jobs.claim_deliveries(null, false, null, null, null, 1)",
    "select * from webhooks.endpoints",
    "select * from webhooks.events",
    "select * from webhooks.events_otherwise",
    "select api.delete_webhook(null)",
  ],
});

test("a fresh install keeps today, two weeks ahead and any other day, of events and of attempts; nobody reads a day by itself", async () => {
  const database = await createTestDatabase();
  const { rows } = await database.admin.query<{ parent: string; days: number; granted: string[] }>(`
    select inhparent::regclass::text as parent, count(distinct inhrelid)::integer as days,
      array_agg(distinct acl.grantee::regrole::text order by acl.grantee::regrole::text) filter (where acl.grantee <> relowner and relname !~ '_otherwise$') as granted
    from pg_inherits join pg_class as part on part.oid = inhrelid cross join aclexplode(relacl) as acl
    where relkind = 'r' group by 1 order by 1`);
  await database.drop();
  expect(rows).toEqual([
    { parent: "webhooks.attempts", days: 1 + 14 + 1, granted: ["selo_backup"] },
    { parent: "webhooks.events", days: 1 + 14 + 1, granted: ["selo_backup"] },
  ]);
});
