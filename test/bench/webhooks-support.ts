import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type BenchGateway, type BenchWorker, startBenchGateway } from "./bench-gateway.ts";
import { type Child, machineMs, startChild } from "./webhooks-child.ts";
import type { Arrivals, ReceiverQuestion } from "./webhooks-receiver.ts";

/** An endpoint that wants one kind of event. */
export interface BenchEndpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  readonly kind: string;
}

/** A gateway, a worker and a receiver, each its own process, beside an embedded Postgres with fsync on. */
export interface WebhookBench {
  readonly gateway: BenchGateway;
  readonly receiver: Child;
  readonly receiverUrl: string;
  /** Superuser. */
  readonly admin: pg.Pool;
  startWorker(): Promise<BenchWorker>;
  /** Registers an endpoint of the test environment over REST. */
  addEndpoint(path: string, eventTypes: readonly string[]): Promise<{ readonly id: string; readonly secret: string }>;
  /** Gives an endpoint another address, as PATCH does. */
  pointTo(endpointId: string, path: string): Promise<void>;
  /** Ten endpoints with a kind of event each, so that an event goes to one of them. */
  addTen(): Promise<BenchEndpoint[]>;
  /** Writes so many events in one transaction, of these kinds in turns; answers their public ids. */
  emit(client: pg.Pool | pg.PoolClient, count: number, kinds: readonly string[]): Promise<string[]>;
  /** Resolves when so many have arrived since `forget`, and nothing waits or is under way any more. */
  untilRecorded(arrivals: number): Promise<void>;
  arrivals(): Promise<Arrivals>;
  forget(): Promise<void>;
  stop(): Promise<void>;
}

export const KINDS = [
  "message.accepted",
  "message.sent",
  "message.delivered",
  "message.deferred",
  "message.bounced",
  "message.failed",
  "message.opened",
  "message.clicked",
  "message.complained",
  "message.unsubscribed",
] as const;

/** In the context of a tenant, as all that runs in gateway.call. */
const STATEMENTS = `
  create schema bench authorization selo_owner;
  set role selo_owner;
  create function bench.emit(p_tenant_id uuid, p_count integer, p_kinds text[]) returns text[]
    language plpgsql security definer set search_path = '' as $$
  begin
    perform platform.enter_context(p_tenant_id, 'test', null, null, null);
    return (select array_agg(webhooks.event_name(emitted.id)) from webhooks.emit_events(array(
      select row(p_kinds[1 + number % cardinality(p_kinds)], platform.uuidv7(), json_build_object('message_id', gen_random_uuid(), 'status', 'delivered',
        'channel', 'email', 'message_type', 'transactional', 'recipient', 'somebody@example.com'), clock_timestamp())::webhooks.event_draft
      from generate_series(1, p_count) as number)) as emitted (id));
  end $$;
  reset role`;

export async function startWebhookBench(): Promise<WebhookBench> {
  const gateway = await startBenchGateway({ WEBHOOK_ALLOW_LOOPBACK: "1" });
  const receiver = startChild("webhooks-receiver.ts");
  const asked = <Answer>(question: ReceiverQuestion) => receiver.ask<Answer>(question);
  const receiverUrl = `http://127.0.0.1:${await asked<number>({ ask: "port" })}`;
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 16 });
  admin.on("error", () => {});
  await admin.query(STATEMENTS);
  const addEndpoint = async (path: string, eventTypes: readonly string[]) => {
    const response = await fetch(`${gateway.url}/api/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.organization.test}`, "content-type": "application/json" },
      body: JSON.stringify({ url: `${receiverUrl}${path}`, event_types: eventTypes }),
    });
    if (response.status !== 201) throw new Error(`POST /webhooks: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; secret: string };
  };
  return {
    gateway,
    receiver,
    receiverUrl,
    admin,
    startWorker: () => gateway.startWorker(),
    addEndpoint,
    async pointTo(endpointId, path) {
      await admin.query("update webhooks.endpoints set url = $2 where id = $1", [endpointId, `${receiverUrl}${path}`]);
    },
    async addTen() {
      const endpoints: BenchEndpoint[] = [];
      for (const [place, kind] of KINDS.entries()) {
        const path = `/hook/${place}`;
        endpoints.push({ ...(await addEndpoint(path, [kind])), kind, url: `${receiverUrl}${path}` });
      }
      return endpoints;
    },
    async emit(client, count, kinds) {
      const { rows } = await client.query<{ ids: string[] }>({
        name: "emit",
        text: "select bench.emit($1, $2, $3) as ids",
        values: [gateway.organization.id, count, kinds],
      });
      return rows[0]?.ids ?? [];
    },
    async untilRecorded(count) {
      await asked({ ask: "until", count });
      for (;;) {
        const { rows } = await admin.query<{ recorded: boolean }>(
          "select not exists (select from webhooks.deliveries) as recorded",
        );
        if (rows[0]?.recorded) return;
        await setTimeout(5);
      }
    },
    arrivals: () => asked<Arrivals>({ ask: "arrivals" }),
    forget: () => asked({ ask: "forget" }),
    async stop() {
      await admin.end();
      await gateway.stop();
      await receiver.stop();
    },
  };
}

/** Sorted times, and what share of them is below. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Offered {
  /** Milliseconds from when the commit was answered until the receiver had it, ascending, by kind. */
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  /** Milliseconds of the emitting statements, ascending. */
  readonly emits: readonly number[];
  /** Deliveries that waited or were under way, each second, of endpoints that are not left out. */
  readonly depths: readonly number[];
  /** Events a second, as it came to be. */
  readonly rate: number;
}

/**
 * Offers so many events a second, one in each transaction, evenly, for so long; then waits until all of those that can
 * arrive did.
 */
export async function offer(
  bench: WebhookBench,
  options: {
    readonly perSecond: number;
    readonly seconds: number;
    /** Kinds that nobody answers for, and their endpoints: they are not waited for. */
    readonly hung?: Readonly<Record<string, string>>;
    readonly kinds?: readonly string[];
  },
): Promise<Offered> {
  const { perSecond, seconds, hung = {}, kinds = KINDS } = options;
  await bench.forget();
  const committed = new Map<string, { readonly at: number; readonly kind: string }>();
  const emits: number[] = [];
  const depths: number[] = [];
  const pending = new Set<Promise<void>>();
  const depth = async () => {
    const { rows } = await bench.admin.query<{ depth: number }>(
      "select count(*)::integer as depth from webhooks.deliveries where endpoint_id <> all($1)",
      [Object.values(hung)],
    );
    depths.push(rows[0]?.depth ?? 0);
  };
  const emit = async (kind: string) => {
    const began = machineMs();
    const [id = ""] = await bench.emit(bench.admin, 1, [kind]);
    const at = machineMs();
    emits.push(at - began);
    committed.set(id, { at, kind });
  };
  const started = machineMs();
  let expected = 0;
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const wait = started + (sent * 1_000) / perSecond - machineMs();
    if (wait > 0) await setTimeout(wait);
    // Not counted where it would wake what is asleep.
    if (perSecond > 1 && sent % perSecond === 0) pending.add(depth());
    const kind = kinds[sent % kinds.length] ?? "";
    if (!(kind in hung)) expected += 1;
    const emitting = emit(kind).finally(() => pending.delete(emitting));
    pending.add(emitting);
  }
  await Promise.all(pending);
  const rate = committed.size / ((machineMs() - started) / 1_000);
  await depth();
  await bench.receiver.ask({ ask: "until", count: expected });
  const latencies = new Map<string, number[]>();
  for (const [id, at] of await bench.arrivals()) {
    const event = committed.get(id);
    if (event === undefined) continue;
    const times = latencies.get(event.kind) ?? [];
    latencies.set(event.kind, times);
    // It may arrive before we have read that it was committed.
    times.push(Math.max(0, at - event.at));
  }
  const ascending = (times: number[]) => times.sort((left, right) => left - right);
  for (const times of latencies.values()) ascending(times);
  return { latencies, emits: ascending(emits), depths, rate };
}

/** Of all kinds, or some, together. */
export function together({ latencies }: Offered, kinds: readonly string[] = KINDS): number[] {
  return kinds.flatMap((kind) => latencies.get(kind) ?? []).sort((left, right) => left - right);
}
