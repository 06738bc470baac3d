import type { CommandHouse, Service } from "../../service.ts";
import { readConfig } from "../config.ts";

/** What commands of these services are given. Whatever a command does not ask for is not loaded. */
export function commandHouse(services: readonly Service[]): CommandHouse {
  return {
    services,
    config: () => readConfig(undefined, services),
    async masterKeys() {
      const { masterKeysOf } = await import("../master-key.ts");
      return masterKeysOf(this.config());
    },
    async withOperator(work) {
      const { openDatabases } = await import("../../postgres/databases.ts");
      const { Operator } = await import("../../postgres/operator/operator.ts");
      const databases = await openDatabases(this.config(), () => {});
      try {
        const operator = await Operator.connect(databases.adminUrl);
        try {
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
