import type { TestDatabase } from "./database.ts";
import { tamper } from "./tamper.ts";

/** Changes a proof so that its own evidence contradicts it: its receipt is a fault of ours. */
export const spoilProof = (database: TestDatabase, id: string): Promise<void> =>
  tamper(database, ["update signature.proofs set label = 'another' where id = $1", [id]]);
