import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import type { TestOrganization } from "../../support/gateway.ts";
import { type Received, startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { type Deployment, deploy } from "./deployment.ts";

/** As webhooks.attempts keeps it. */
export interface Attempt {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly attempt: number;
  readonly status: string;
  readonly requested_at: Date;
  readonly duration_ms: number;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly truncated: boolean;
  readonly error_code: string | null;
  readonly next_attempt_at: Date | null;
}

/** What was lost and what was doubled, by event and path. */
export interface Tally {
  /** That stand in the event log. */
  readonly events: number;
  /** Never arrived at an endpoint. */
  readonly lost: number;
  /** Arrived at an endpoint more than once. */
  readonly doubled: number;
  /** Arrived, and are no events. */
  readonly invented: number;
}

/** A deployment with webhooks of one organization, and a receiver that tells them apart by path. */
export class FaultStage {
  readonly deployment: Deployment;
  readonly receiver: WebhookReceiver;
  readonly organization: TestOrganization;
  readonly paths: string[] = [];
  /** Requests that wait for an answer, by path. */
  readonly held = new Map<string, ServerResponse[]>();
  /** Paths whose requests are not answered from now on. */
  readonly holding = new Set<string>();
  /** Most that waited at once, by path. */
  readonly mostHeld = new Map<string, number>();

  private constructor(deployment: Deployment, receiver: WebhookReceiver, organization: TestOrganization) {
    this.deployment = deployment;
    this.receiver = receiver;
    this.organization = organization;
    receiver.answer((request, response) => {
      const path = request.url ?? "";
      if (!this.holding.has(path)) {
        response.writeHead(200).end();
        return;
      }
      const held = this.held.get(path) ?? [];
      this.held.set(path, held);
      held.push(response);
      response.on("close", () => {
        const place = held.indexOf(response);
        if (place >= 0) held.splice(place, 1);
      });
      this.mostHeld.set(path, Math.max(this.mostHeld.get(path) ?? 0, held.length));
    });
  }

  static async open(webhooks: number): Promise<FaultStage> {
    const deployment = await deploy();
    await deployment.startGateway();
    const stage = new FaultStage(deployment, await startWebhookReceiver(), await deployment.newOrganization());
    for (let made = 0; made < webhooks; made++) await stage.addWebhook();
    return stage;
  }

  /**
   * @param url of a receiver of the test's own; otherwise a path of the stage's
   * @returns its id
   */
  async addWebhook(url?: string): Promise<string> {
    const path = `/hook-${this.paths.length}`;
    if (url === undefined) this.paths.push(path);
    const answer = await fetch(`${this.deployment.baseUrl}/api/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.organization.test}`, "content-type": "application/json" },
      body: JSON.stringify({ url: url ?? `${this.receiver.url}${path}`, event_types: ["message.*"] }),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { id: string }).id;
  }

  /** Events that are committed together. */
  async emit(count: number, end: "commit" | "rollback" = "commit"): Promise<void> {
    const client = await this.deployment.admin.connect();
    let broken: Error | undefined;
    const cut = () => {}; // by whoever ends Postgres on purpose
    client.on("error", cut);
    try {
      await client.query("begin");
      await client.query("select platform.enter_context($1, 'test', null, null, null)", [this.organization.id]);
      await client.query(
        `select count(webhooks.emit_event('message.delivered', platform.uuidv7(), '{"message_id":"0197a0c0-0000-7000-8000-000000000000"}', clock_timestamp()))
         from generate_series(1, $1)`,
        [count],
      );
      await client.query(end);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      if (broken === undefined) client.off("error", cut);
      client.release(broken);
    }
  }

  hold(paths: readonly string[] = this.paths): void {
    for (const path of paths) this.holding.add(path);
  }

  /** Answers what was held, and answers at once from now on. */
  release(status = 200): void {
    this.holding.clear();
    for (const responses of this.held.values()) {
      for (const response of responses.splice(0)) response.writeHead(status).end();
    }
  }

  get heldCount(): number {
    return [...this.held.values()].reduce((sum, responses) => sum + responses.length, 0);
  }

  at(path: string): Received[] {
    return this.receiver.received.filter((delivery) => delivery.path === path);
  }

  /** What came to an endpoint that had it already. */
  repeated(): Received[] {
    const known = new Set<string>();
    return this.receiver.received.filter(({ path, headers }) => {
      const name = `${path} ${headers["x-webhook-id"]}`;
      const isKnown = known.has(name);
      known.add(name);
      return isKnown;
    });
  }

  async attempts(): Promise<Attempt[]> {
    return (await this.deployment.admin.query<Attempt>("select * from webhooks.attempts order by id")).rows;
  }

  async queue(): Promise<{ waiting: number; leased: number }> {
    const { rows } = await this.deployment.admin.query(
      "select count(*)::integer as waiting, (count(*) filter (where leased_until > clock_timestamp()))::integer as leased from webhooks.deliveries",
    );
    return rows[0];
  }

  /** The leases that are held now, and for how long each was given. */
  async leases(): Promise<{ readonly id: string; readonly seconds: number }[]> {
    const { rows } = await this.deployment.admin.query(
      `select attempt_id as id, extract(epoch from leased_until - uuid_extract_timestamp(attempt_id))::float8 as seconds
       from webhooks.deliveries where leased_until > clock_timestamp()`,
    );
    return rows;
  }

  /** As if all but some seconds of these leases had passed; answers when the first of those that are left ends. */
  async age(leases: readonly { readonly id: string }[]): Promise<Date> {
    const { rows } = await this.deployment.admin.query<{ first: Date }>(
      `with aged as (
         update webhooks.deliveries set leased_until = leased_until - interval '52 seconds' where attempt_id = any ($1) returning leased_until)
       select coalesce(min(leased_until), clock_timestamp()) as first from aged`,
      [leases.map(({ id }) => id)],
    );
    return rows[0]?.first ?? new Date();
  }

  /** Until nothing waits any more. */
  async settled(timeout: number): Promise<void> {
    await expect.poll(async () => (await this.queue()).waiting, { timeout, interval: 100 }).toBe(0);
  }

  async tally(): Promise<Tally> {
    const { rows } = await this.deployment.admin.query<{ id: string }>(
      "select webhooks.event_name(id) as id from webhooks.events",
    );
    const events = new Set(rows.map(({ id }) => id));
    let [lost, doubled, invented] = [0, 0, 0];
    for (const path of this.paths) {
      const times = new Map<string, number>();
      for (const { headers } of this.at(path)) {
        const id = String(headers["x-webhook-id"]);
        times.set(id, (times.get(id) ?? 0) + 1);
      }
      for (const id of events) if (!times.has(id)) lost += 1;
      for (const [id, count] of times) {
        if (count > 1) doubled += 1;
        if (!events.has(id)) invented += 1;
      }
    }
    return { events: events.size, lost, doubled, invented };
  }

  /** Every delivery of the log has exactly one attempt that succeeded, so many in all. */
  async expectEachSucceededOnce(): Promise<void> {
    const { rows } = await this.deployment.admin.query(
      `select (select count(*)::integer from webhooks.events) * (select count(*)::integer from webhooks.endpoints) as deliveries,
        count(*)::integer as succeeded, count(distinct (endpoint_id, event_id))::integer as different
       from webhooks.attempts where status = 'SUCCEEDED'`,
    );
    expect(rows[0].succeeded).toBe(rows[0].deliveries);
    expect(rows[0].different).toBe(rows[0].deliveries);
  }

  /** Forgets what there was, so that the next test counts from nothing. */
  async clear(): Promise<void> {
    this.release();
    // One after the other: a worker that is at work holds one and wants another.
    for (const table of ["deliveries", "attempts", "events"]) {
      await this.deployment.admin.query(`truncate webhooks.${table}`);
    }
    await this.deployment.admin.query("update webhooks.endpoints set consecutive_failures = 0, failing_since = null");
    (this.receiver.received as Received[]).splice(0);
    this.mostHeld.clear();
  }

  async close(): Promise<void> {
    this.release();
    await this.deployment.stop();
    await this.receiver.close();
  }
}

/** Ends a process as nothing can refuse. */
export async function killed(process: {
  child: { kill(signal: "SIGKILL"): boolean };
  finished: Promise<unknown>;
}): Promise<void> {
  process.child.kill("SIGKILL");
  await process.finished;
}
