import { openDatabases } from "../../postgres/databases.ts";
import { Operator } from "../../postgres/operator/operator.ts";
import { readConfig } from "../config.ts";

/** Runs what a command does on the configured database, as whoever runs the deployment. */
export async function withOperator<Result>(work: (operator: Operator) => Promise<Result>): Promise<Result> {
  const databases = await openDatabases(readConfig(), () => {});
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
}
