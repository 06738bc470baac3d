import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Deployment, deploy } from "./deployment.ts";
import { Registrations } from "./registrations.ts";

/**
 * A test of so many kills -9 of the gateway under load, and of what is left of it.
 * @param pauseMs of each client after an answer: all that they register is verified in the end
 */
export function testGatewayKilled(kills: number, pauseMs: number): void {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await deploy();
  });
  afterAll(() => deployment.stop());

  // A guard that grows with what is registered, since all of it is verified.
  const timeout = 60_000 * (kills + 1);
  test("kill -9 of the gateway at any moment under load: what was answered is there, each digest once, credits equal proofs", {
    timeout,
  }, async () => {
    const registrations = await Registrations.of(deployment);
    let gateway = await deployment.startGateway();
    registrations.start(32, pauseMs);
    try {
      for (let kill = 0; kill < kills; kill++) {
        const before = registrations.answered;
        await expect.poll(() => registrations.answered - before, { timeout: 30_000, interval: 5 }).toBeGreaterThan(100);
        await pause(randomInt(100)); // any moment
        gateway.child.kill("SIGKILL");
        expect((await gateway.finished).signal).toBe("SIGKILL");
        gateway = await deployment.startGateway();
      }
      const before = registrations.answered;
      await expect.poll(() => registrations.answered - before, { timeout: 30_000 }).toBeGreaterThan(32);
    } finally {
      await registrations.stop();
    }
    // It did interrupt requests: with none under way there would be nothing to count.
    expect(registrations.all.length - registrations.answered).toBeGreaterThan(kills);
    await registrations.expectNothingLostOrDoubled();
  });
}
