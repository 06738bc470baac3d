import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { SecretError } from "../../../adapters/crypto/sealed-secret.ts";
import type { Operator } from "../../../postgres/operator/operator.ts";
import type { SealedCount } from "../../../postgres/operator/sealed-values.ts";
import type { SealedColumn } from "../../../service.ts";

/** Secrets of one transaction. */
const BATCH = 200;

export interface Reencrypted {
  /** Id of the key that seals now. */
  readonly master_key_id: string;
  /** How many were sealed again, by column. */
  readonly reencrypted: readonly { readonly column: string; readonly count: number }[];
  /** What is sealed under other keys still. */
  readonly left: readonly { readonly column: string; readonly master_key_id: string; readonly count: number }[];
}

/**
 * Seals every secret again that another master key than the present one sealed, batch by batch, each in a transaction of
 * its own. Its state is what it has written: killed, it goes on where it was; run twice at once, each secret is written once.
 * Processes go on meanwhile, as long as they can open under both keys.
 * @param sealedColumns of all services
 * @returns with `left`: secrets that no key at hand opens, of a column not in the list, or sealed under another key meanwhile
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

/** Null for what does not open: it is counted as left, and the others go on. */
function openedOrNull(masterKeys: MasterKeyring, sealed: Buffer, purpose: string): Buffer | null {
  try {
    return masterKeys.open(sealed, purpose);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

const nameOf = ({ table, column }: Pick<SealedCount, "table" | "column">) => `${table}.${column}`;
