import type { AuditFault, AuditLane, AuditRange } from "../../../postgres/audit-reader.ts";
import type { RangeCheck, RangeCheckOptions } from "../../../postgres/operator/operated-service.ts";
import { signatureFaults } from "../../platform/audit/signature-faults.ts";
import { readRecordSignatures, readSignatures, type SignedRow } from "../store.ts";

/** Rows handed over at once: passing a row to libuv's pool blocks the event loop for some 40 µs, and the worker has other work. */
const AT_ONCE = 250;

/** Verifies both signatures of all proofs in a range. */
export const verifySignatures: RangeCheck = (lane, range, options) =>
  verifyRows(lane, range, options, readSignatures, { subject_type: "proof", seq: 1 }, (_row, fault) => fault);

/** Verifies both signatures of all signed records of envelopes in a range. An envelope has several records, so a fault names the record. */
export const verifyRecordSignatures: RangeCheck = (lane, range, options) =>
  verifyRows(
    lane,
    range,
    options,
    readRecordSignatures,
    { subject_type: "envelope", seq: null },
    ({ id }, fault) => `signed record ${id}: ${fault}`,
  );

async function verifyRows(
  lane: AuditLane,
  range: AuditRange,
  options: RangeCheckOptions,
  read: typeof readSignatures,
  subject: Pick<AuditFault, "subject_type" | "seq">,
  wordsOf: (row: SignedRow, fault: string) => string,
): Promise<number> {
  const { since, keys, onFault } = options;
  let verified = 0;
  let after = range.after;
  for (;;) {
    const rows = await read(lane, { after, until: range.until }, since, AT_ONCE);
    const faults = await Promise.all(rows.map((row) => signatureFaults(row, keys)));
    for (const [place, row] of rows.entries()) {
      const found = faults[place] ?? null;
      if (found === null) tellUnknown(row, options);
      for (const fault of found ?? [])
        onFault({
          check_name: "signatures",
          tenant_id: row.tenant_id,
          environment: row.environment,
          subject_id: row.subject_id,
          event_id: null,
          fault: wordsOf(row, fault),
          ...subject,
        });
    }
    verified += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return verified;
    after = { tenant_id: last.tenant_id, id: last.id };
  }
}

/** Reports a key that is not in the kept copy only once, although it may have signed many rows. */
function tellUnknown({ platform_key_id, platform_pq_key_id }: SignedRow, { keys, onUnknownKey }: RangeCheckOptions) {
  for (const keyId of [platform_key_id, platform_pq_key_id]) if (!keys.has(keyId)) onUnknownKey(keyId);
}
