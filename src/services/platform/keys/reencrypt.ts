import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { SecretError } from "../../../adapters/crypto/sealed-secret.ts";
import type { SealedColumn } from "../../../postgres/operator/operated-service.ts";
import type { Operator } from "../../../postgres/operator/operator.ts";
import type { SealedCount } from "../../../postgres/operator/sealed-values.ts";

/** Number of secrets in one transaction. */
const BATCH = 200;

export interface Reencrypted {
  /** Id of the master key that encrypts now. */
  readonly master_key_id: string;
  /** Number of secrets encrypted again, by column. */
  readonly reencrypted: readonly { readonly column: string; readonly count: number }[];
  /** Secrets that are still encrypted under other keys. */
  readonly left: readonly { readonly column: string; readonly master_key_id: string; readonly count: number }[];
}

/**
 * Encrypts again every secret that is not encrypted under the present master key, batch by batch, each batch in a transaction of
 * its own. Its only state is what it has written: after a kill, a new run continues. Two runs at once write each secret once.
 * Other processes keep working meanwhile if they can decrypt under both keys.
 * @param sealedColumns of all services
 * @returns with `left`: secrets that no known key decrypts, secrets in columns that are not listed, and secrets encrypted under another key meanwhile
 */
export async function reencrypt(
  operator: Operator,
  masterKeys: MasterKeyring,
  sealedColumns: readonly SealedColumn[],
  batch = BATCH,
): Promise<Reencrypted> {
  const reencrypted: { column: string; count: number }[] = [];
  for (const sealed of sealedColumns)
    reencrypted.push({ column: nameOf(sealed), count: await reencryptColumn(operator, masterKeys, sealed, batch) });
  const left = (await operator.sealedValues.count())
    .filter(({ masterKeyId }) => masterKeyId !== masterKeys.sealingId)
    .map((found) => ({ column: nameOf(found), master_key_id: found.masterKeyId, count: found.count }));
  return { master_key_id: masterKeys.sealingId, reencrypted, left };
}

async function reencryptColumn(
  operator: Operator,
  masterKeys: MasterKeyring,
  sealed: SealedColumn,
  batch: number,
): Promise<number> {
  let count = 0;
  let after: Buffer = Buffer.alloc(0);
  for (;;) {
    const page = await operator.sealedValues.list(sealed, masterKeys.sealingId, after, batch);
    const last = page.at(-1);
    if (last === undefined) return count;
    after = last.sealed;
    const again = page.flatMap(({ key, sealed: old }) => {
      const secret = openedOrNull(masterKeys, old, sealed.purpose(key));
      return secret === null ? [] : [{ old, new: masterKeys.seal(secret, sealed.purpose(key)) }];
    });
    if (again.length > 0) count += await operator.sealedValues.replace(sealed, again);
  }
}

/** Null for a secret that does not decrypt: it is counted as left, and the run continues. */
function openedOrNull(masterKeys: MasterKeyring, sealed: Buffer, purpose: string): Buffer | null {
  try {
    return masterKeys.open(sealed, purpose);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

const nameOf = ({ table, column }: Pick<SealedCount, "table" | "column">) => `${table}.${column}`;
