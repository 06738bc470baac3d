// The dispatcher by itself: what it takes up, what it gives back, and when it stops.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { WebhookSender } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { unavailable } from "../../../src/errors/app-error.ts";
import { createLogger } from "../../../src/main/log.ts";
import { newWebhookSecret, sealWebhookSecret } from "../../../src/services/webhooks/endpoints/secret.ts";
import { deliveryMetrics } from "../../../src/services/webhooks/metrics.ts";
import type { AttemptResult, DeliveryClaim, LeasedDelivery } from "../../../src/services/webhooks/store.ts";
import { Dispatcher } from "../../../workers/webhooks/dispatcher/dispatcher.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const ENDPOINT = randomUUID();
const sealedSecret = Buffer.from(sealWebhookSecret(masterKeys, ENDPOINT, newWebhookSecret()), "base64");

let receiver: WebhookReceiver;
let sender: WebhookSender;
let held: ServerResponse[];
beforeEach(async () => {
  held = [];
  receiver = await startWebhookReceiver((_request, response) => void held.push(response));
  sender = new WebhookSender({ resolver: new DnsResolver() });
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

const release = () => {
  for (const response of held.splice(0)) response.writeHead(200).end();
};

function leased(): LeasedDelivery {
  return {
    tenantId: randomUUID(),
    environment: "test",
    endpointId: ENDPOINT,
    deliveryId: randomUUID(),
    eventName: "evt_0197a0c000007000800000000000000000",
    attemptId: randomUUID(),
    attempt: 1,
    url: `${receiver.url}/hook`,
    body: "{}",
    sealedSecret,
    sealedPreviousSecret: null,
    nowMs: Date.now(),
  };
}

/** A queue in memory, which answers claims when the test likes. */
class Queue {
  readonly recorded: AttemptResult[] = [];
  readonly given: string[] = [];
  readonly rooms: (number | undefined)[] = [];
  readonly full: (readonly string[])[] = [];
  /** Until it is zero, Postgres cannot be reached to leave. */
  refusals = 0;
  answer: (deliveries: LeasedDelivery[]) => void = () => {};
  async claimDeliveries({ room, fullTenants }: DeliveryClaim): Promise<LeasedDelivery[]> {
    this.rooms.push(room.get(ENDPOINT));
    this.full.push(fullTenants);
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }
  async recordAttempts(results: readonly AttemptResult[]): Promise<number> {
    this.recorded.push(...results);
    return results.length;
  }
  async leaveDispatch(): Promise<void> {}
  async releaseDeliveries(deliveries: readonly { attemptId: string }[]): Promise<void> {
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw unavailable(new Error("refused"));
    }
    this.given.push(...deliveries.map(({ attemptId }) => attemptId));
  }
}

function start(queue: Queue): Dispatcher {
  const log = createLogger("silent");
  const dispatcher = new Dispatcher({
    jobs: queue,
    sender,
    masterKeys,
    metrics: deliveryMetrics([]),
    log,
    allowLoopback: true,
  });
  dispatcher.start();
  return dispatcher;
}

const deliveries = (count: number) => Array.from({ length: count }, leased);
const claims = (queue: Queue, count: number) => expect.poll(() => queue.rooms.length).toBe(count);

describe("a dispatcher", () => {
  test("records what of TLS failed", async () => {
    sender = new WebhookSender({ resolver: { resolve: async () => ["127.0.0.1"] }, isAllowed: () => true });
    const queue = new Queue();
    const dispatcher = start(queue);
    await claims(queue, 1);
    // The receiver speaks HTTP without TLS.
    queue.answer([{ ...leased(), url: `https://hook.example.com:${new URL(receiver.url).port}/` }]);
    await expect.poll(() => queue.recorded.length).toBe(1);
    expect(queue.recorded).toMatchObject([{ error_code: "tls_failed", error_detail: "protocol" }]);
    const stopped = dispatcher.stop();
    queue.answer([]);
    await stopped;
  });

  test("has at most ten attempts under way at one endpoint, and asks for no more of it", async () => {
    const queue = new Queue();
    const dispatcher = start(queue);
    await claims(queue, 1);
    queue.answer(deliveries(25));
    await expect.poll(() => held.length).toBe(10);
    await claims(queue, 2);
    expect(queue.rooms).toEqual([undefined, 0]);
    const stopped = dispatcher.stop();
    queue.answer([]);
    await expect.poll(() => queue.given.length).toBe(15);
    release();
    await stopped;
    expect([receiver.received.length, queue.recorded.length]).toEqual([10, 10]);
  });

  test("takes nothing more of an organization that has a quarter of what it may lease, and goes on with others", async () => {
    const queue = new Queue();
    const dispatcher = start(queue);
    const hung = randomUUID();
    const claimed = [500, 300].map((count, place) =>
      deliveries(count).map((each) => ({ ...each, ...(place === 0 ? { tenantId: hung } : {}) })),
    );
    for (const [place, some] of claimed.entries()) {
      await claims(queue, place + 1);
      queue.answer(some);
    }
    await claims(queue, 3);
    expect(queue.full).toEqual([[], [hung], [hung]]);
    const stopped = dispatcher.stop();
    queue.answer([]);
    await expect.poll(() => queue.given.length).toBe(790);
    release();
    await stopped;
  });

  test("gives back what has waited for a second at an endpoint that takes its time, and begins none of it", async () => {
    const queue = new Queue();
    const dispatcher = start(queue);
    await claims(queue, 1);
    const all = deliveries(25);
    queue.answer(all);
    const given = () => {
      queue.answer([]);
      return queue.given;
    };
    await expect.poll(given).toEqual(all.slice(10).map(({ attemptId }) => attemptId));
    const stopped = dispatcher.stop();
    queue.answer([]);
    release();
    await stopped;
    expect([receiver.received.length, queue.recorded.length]).toEqual([10, 10]);
  });

  test("leases nothing ahead of an endpoint that was quick and hangs now, once it has given back what it had", async () => {
    receiver.answer(200);
    const queue = new Queue();
    const dispatcher = start(queue);
    await claims(queue, 1);
    // Until one of them was quick, and none is under way.
    const next = () => {
      queue.answer(deliveries(1));
      return queue.rooms.at(-1);
    };
    await expect.poll(next).toBe(100);
    receiver.answer((_request, response) => void held.push(response));
    await claims(queue, queue.rooms.length + 1);
    queue.answer(deliveries(100));
    await expect.poll(() => held.length).toBe(10);
    const given = () => {
      queue.answer([]);
      return queue.given.length;
    };
    await expect.poll(given).toBeGreaterThanOrEqual(90);
    // It asks in the same moment as it gives back.
    expect(queue.rooms.at(-1)).toBe(0);
    const stopped = dispatcher.stop();
    queue.answer([]);
    release();
    await stopped;
  });

  test("gives back all of a claim that is answered when it stops already", async () => {
    const queue = new Queue();
    const dispatcher = start(queue);
    await claims(queue, 1);
    const stopped = dispatcher.stop();
    const late = deliveries(3);
    queue.answer(late);
    await stopped;
    expect(queue.given).toEqual(late.map(({ attemptId }) => attemptId));
    expect(receiver.received).toEqual([]);
  });

  test("begins nothing in the place of an attempt that ends while it stops", async () => {
    const queue = new Queue();
    const dispatcher = start(queue);
    await claims(queue, 1);
    queue.answer(deliveries(13));
    await expect.poll(() => held.length).toBe(10);
    await claims(queue, 2);
    const stopped = dispatcher.stop();
    // It still waits for its claim.
    release();
    await expect.poll(() => queue.recorded.length).toBe(10);
    queue.answer([]);
    await stopped;
    expect(queue.given).toHaveLength(3);
    expect(receiver.received).toHaveLength(10);
  });

  test("that leaves while Postgres cannot be reached says so again", async () => {
    const queue = new Queue();
    queue.refusals = 2;
    const dispatcher = start(queue);
    await claims(queue, 1);
    const stopped = dispatcher.stop();
    queue.answer(deliveries(2));
    await stopped;
    expect(queue.given).toHaveLength(2);
  });
});
