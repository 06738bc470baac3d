// Jobs of one worker share what they know of late nameservers.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { dnsMetrics } from "../../../src/services/dns/metrics.ts";
import { flushZoneOf } from "../../../workers/dns/flush-zone.ts";
import type { TaskContext } from "../../../workers/task.ts";
import type { WorkerContext } from "../../../workers/worked-service.ts";

/** Zones that the control was asked to have forgotten, which it refuses. */
let asked: string[];
let control: http.Server;
let closing: (() => Promise<void>)[];
beforeEach(async () => {
  asked = [];
  closing = [];
  control = http.createServer(async (request, response) => {
    asked.push(...JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")).zones);
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => control.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const close of closing) await close();
  control.closeAllConnections();
  await new Promise((resolve) => control.close(resolve));
});

function newContext(): WorkerContext {
  const metrics = dnsMetrics([]);
  const context: Pick<WorkerContext, "config" | "log" | "metrics" | "onClose"> = {
    config: readConfig({
      NAMESERVER_CONTROL_URLS: `http://127.0.0.1:${(control.address() as AddressInfo).port}`,
      NAMESERVER_CONTROL_KEY: "k".repeat(32),
    }),
    log: { warn: () => {} } as unknown as WorkerContext["log"],
    metrics: { of: () => metrics } as unknown as WorkerContext["metrics"],
    onClose: (close) => void closing.push(close),
  };
  return context as WorkerContext;
}
const attempt = (job: ReturnType<typeof flushZoneOf>, zone: string) =>
  expect(job({ zone }, { isLastAttempt: false } as TaskContext)).rejects.toThrow("0 of 1 nameservers confirmed");

test("a nameserver that was late three times for one job is not asked by another job of the worker, but by another worker", async () => {
  const context = newContext();
  const [one, other] = [flushZoneOf(context), flushZoneOf(context)];
  await attempt(one, "one.test");
  await attempt(other, "two.test");
  await attempt(one, "three.test");
  await attempt(other, "four.test");
  await attempt(one, "five.test");
  const told = () => asked.filter((zone) => zone !== "nameserver-probe.invalid");
  expect(told()).toEqual(["one.test", "two.test", "three.test"]);
  await attempt(flushZoneOf(newContext()), "six.test");
  expect(told().at(-1)).toBe("six.test");
});
