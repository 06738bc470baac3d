import type { Config } from "../../src/config/config.ts";
import { listen } from "../../src/postgres/notifications.ts";
import { claimTransmissions, type TransmissionLease } from "../../src/services/invoicing/store.ts";
import { type TaxRoute, taxRoute } from "../../src/services/invoicing/tax-route.ts";
import { LeasedLoop } from "../leased-loop.ts";
import type { Beside, WorkerContext } from "../worked-service.ts";
import { attempt } from "./attempt.ts";

/** Transmissions of one worker at once. One may wait 30 seconds for its answer. */
const AT_ONCE = 20;
/** Retries come due without a notification. */
const IDLE_MS = 5_000;

/** Transmits invoices and their cancellations as long as the worker runs. Postgres wakes it when one is due. */
export async function transmitInvoices(
  context: Pick<WorkerContext, "config" | "connection" | "jobs" | "log" | "masterKeys">,
): Promise<Beside> {
  const { config, connection, jobs, log, masterKeys } = context;
  const routes = new Map<string, Promise<TaxRoute>>();
  // Read with the first transmission: the simulator beside `npm start` may start later than the worker.
  const routeOf = (environment: "live" | "test") => {
    const known = routes.get(environment) ?? openRoute(config, environment);
    routes.set(environment, known);
    // A route that could not be read is read again by the next attempt.
    known.catch(() => routes.delete(environment));
    return known;
  };
  const loop = new LeasedLoop<TransmissionLease>({
    name: "transmission of invoices",
    claim: (most) => claimTransmissions(jobs, most),
    run: (lease) => attempt({ jobs, log, masterKeys, routeOf: () => routeOf(lease.environment) }, lease),
    most: AT_ONCE,
    idleMs: IDLE_MS,
    log,
  });
  loop.start();
  const listening = listen(connection, "invoice_transmissions", () => loop.wake());
  return {
    stop: async () => {
      await listening.close();
      await loop.stop();
      await Promise.all([...routes.values()].map(async (route) => (await route).authority.close()));
    },
  };
}

async function openRoute(config: Config, environment: "live" | "test"): Promise<TaxRoute> {
  const route = await taxRoute(config, environment);
  if (route === null) throw new Error(`there is no address of the tax authority for ${environment}`);
  return route;
}
