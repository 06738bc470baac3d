import { webhookSecretPurpose } from "../webhooks/operations/secret.ts";
import { seedPurpose } from "./operations/platform-signers.ts";

/** A column of secrets that are encrypted under a master key. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** What the value of a row is sealed for, from the members of the row's primary key. */
  readonly purpose: (key: Readonly<Record<string, unknown>>) => string;
}

/**
 * Every sealed column there is. `selo keys reencrypt` works through this list; a column of the database that is missing
 * here (any bytea named sealed_…) fails a test, and fails that command.
 */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: "platform.platform_keys",
    column: "sealed_seed",
    purpose: ({ key_id }) => seedPurpose(String(key_id)),
  },
  ...["sealed_secret", "sealed_previous_secret"].map((column) => ({
    table: "webhooks.endpoints",
    column,
    purpose: ({ id }: Readonly<Record<string, unknown>>) => webhookSecretPurpose(String(id)),
  })),
];
