import type { Service } from "../../services/service.ts";
import type { CommandContext } from "../../surfaces/cli/command-group.ts";
import { readConfig } from "../config.ts";

/** The objects for the commands of these services. Each part is loaded only when a command asks for it. */
export function commandContext(services: readonly Service[]): CommandContext {
  const config = () => readConfig(undefined, services);
  return {
    services,
    config,
    configApart: () => readConfig(undefined, services, true),
    serveMetrics: async (config) => {
      const { loadMetrics, metricsOf } = await import("../../surfaces/metrics/load-metrics.ts");
      const { listenForMetrics } = await import("../../surfaces/metrics/endpoint.ts");
      const metrics = metricsOf(services);
      await loadMetrics(services, metrics);
      const listener = await listenForMetrics(config, metrics);
      return { metrics, close: async () => listener?.close() };
    },
    masterKeys: async () => {
      const { masterKeysOf } = await import("../master-key.ts");
      return masterKeysOf(config());
    },
    loginUrl: async (login) => {
      const { findDatabases } = await import("../../postgres/databases.ts");
      const found = await findDatabases(config());
      return typeof found === "string" ? null : (found.loginUrl?.(login) ?? null);
    },
    withOperator: async (work) => {
      const { openExistingDatabases } = await import("../../postgres/databases.ts");
      const { Operator } = await import("../../postgres/operator/operator.ts");
      const databases = await openExistingDatabases(config(), () => {});
      try {
        const operator = await Operator.connect(databases.adminUrl);
        try {
          await operator.requireMigrated();
          return await work(operator);
        } finally {
          await operator.close();
        }
      } finally {
        await databases.close();
      }
    },
  };
}
