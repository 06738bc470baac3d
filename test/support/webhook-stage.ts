// A gateway, a worker and a receiver, and webhooks of organizations of their own, each at its own path.
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "vitest";
import type { RunningWorker } from "../../workers/main.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "./gateway.ts";
import { inContext, ownerPool } from "./owner.ts";
import { type Answering, type Received, startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";
import { startTestWorker } from "./worker.ts";

/** A row of webhooks.attempts. */
export interface AttemptRow {
  readonly id: string;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly attempt: number;
  readonly automatic_attempts: number;
  readonly trigger: string;
  readonly status: string;
  readonly url: string | null;
  readonly requested_at: Date | null;
  readonly duration_ms: number | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly truncated: boolean;
  readonly error_code: string | null;
  readonly error_detail: string | null;
  readonly next_attempt_at: Date | null;
}

export interface EndpointRow {
  readonly status: string;
  readonly disabled_reason: string | null;
  readonly consecutive_failures: number;
  readonly failing_since: Date | null;
  readonly last_success_at: Date | null;
}

export interface QueueRow {
  readonly id: string;
  readonly attempts: number;
  readonly automatic_attempts: number;
  readonly trigger: string;
  readonly ready: boolean;
  readonly due_at: Date;
  readonly attempt_id: string | null;
}

/** A webhook of an organization's test environment. */
export class Hook {
  readonly #stage: WebhookStage;
  readonly organization: TestOrganization;
  readonly id: string;
  readonly secret: string;
  readonly path: string;

  constructor(stage: WebhookStage, organization: TestOrganization, id: string, secret: string, path: string) {
    this.#stage = stage;
    this.organization = organization;
    this.id = id;
    this.secret = secret;
    this.path = path;
  }

  /** REST, with a token of the test environment. */
  ask(method: string, path: string, body?: object) {
    return this.#stage.ask(this.organization, method, path, body);
  }

  answer(answering: Answering): void {
    this.#stage.answers.set(this.path, answering);
  }

  get received(): Received[] {
    return this.#stage.receiver.received.filter(({ path }) => path.split("?")[0] === this.path);
  }

  /** Events that are committed together; answers their ids. */
  emit(count = 1): Promise<string[]> {
    return inContext(this.#stage.owner, this.organization.id, "test", async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `select emitted.id from webhooks.emit_events(array(
          select row('message.delivered', platform.uuidv7(), '{"message_id":"0197a0c0-0000-7000-8000-000000000000"}', clock_timestamp())::webhooks.event_draft
          from generate_series(1, $1))) as emitted (id)`,
        [count],
      );
      return rows.map(({ id }) => id);
    });
  }

  async attempts(): Promise<AttemptRow[]> {
    const text = "select * from webhooks.attempts where endpoint_id = $1 order by id";
    return (await this.#stage.selo.database.admin.query<AttemptRow>(text, [this.id])).rows;
  }

  async endpoint(): Promise<EndpointRow | undefined> {
    const text = "select * from webhooks.endpoints where id = $1";
    return (await this.#stage.selo.database.admin.query<EndpointRow>(text, [this.id])).rows[0];
  }

  /** Changes columns of the endpoint, as nobody but time would. */
  async set(assignments: string): Promise<void> {
    await this.#stage.selo.database.admin.query(`update webhooks.endpoints set ${assignments} where id = $1`, [
      this.id,
    ]);
  }

  async queue(): Promise<QueueRow[]> {
    const text = "select * from webhooks.deliveries where endpoint_id = $1 order by id";
    return (await this.#stage.selo.database.admin.query<QueueRow>(text, [this.id])).rows;
  }

  /** As if the time of what waits had come. */
  async makeDue(): Promise<void> {
    const { admin } = this.#stage.selo.database;
    await admin.query(
      "update webhooks.deliveries set due_at = clock_timestamp() where endpoint_id = $1 and not ready",
      [this.id],
    );
    await admin.query("select pg_notify('webhook_deliveries', '')");
  }

  /** Waits until there are so many attempts, and answers them. */
  async attempted(count: number): Promise<AttemptRow[]> {
    await expect.poll(async () => (await this.attempts()).length).toBeGreaterThanOrEqual(count);
    const attempts = await this.attempts();
    expect(attempts).toHaveLength(count);
    return attempts;
  }
}

export class WebhookStage {
  readonly selo: TestGateway;
  readonly receiver: WebhookReceiver;
  readonly owner: ReturnType<typeof ownerPool>;
  readonly answers = new Map<string, Answering>();
  worker: RunningWorker | null = null;
  #hooks = 0;

  private constructor(selo: TestGateway, receiver: WebhookReceiver) {
    this.selo = selo;
    this.receiver = receiver;
    this.owner = ownerPool(selo.database);
    receiver.answer((request, response, body) => this.#answer(request, response, body));
  }

  static async open(): Promise<WebhookStage> {
    const stage = new WebhookStage(
      await startTestGateway({ WEBHOOK_ALLOW_LOOPBACK: "1" }),
      await startWebhookReceiver(),
    );
    await stage.startWorker();
    return stage;
  }

  async startWorker(): Promise<void> {
    this.worker = await startTestWorker(this.selo);
  }

  async stopWorker(): Promise<void> {
    await this.worker?.stop();
    this.worker = null;
  }

  /** A webhook of a new organization, for messages' events. */
  async hook(answering: Answering = 200, options: Parameters<TestGateway["newOrganization"]>[0] = {}): Promise<Hook> {
    const organization = await this.selo.newOrganization(options);
    const path = `/hook-${++this.#hooks}`;
    this.answers.set(path, answering);
    const { status, body } = await this.ask(organization, "POST", "/webhooks", {
      url: `${this.receiver.url}${path}`,
      event_types: ["message.*"],
    });
    expect(status).toBe(201);
    return new Hook(this, organization, body.id, body.secret, path);
  }

  async ask(organization: TestOrganization, method: string, path: string, body?: object) {
    const answer = await fetch(`${this.selo.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${organization.test}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.receiver.close();
    await this.owner.end();
    await this.selo.stop();
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const answering = this.answers.get(request.url?.split("?")[0] ?? "") ?? 200;
    if (typeof answering === "number") response.writeHead(answering).end();
    else answering(request, response, body);
  }
}
