import type { OperatedService, SealedColumn } from "../../../postgres/operator/operated-service.ts";

/** The sealed columns of all services, by table. */
export async function sealedColumnsOf(
  services: readonly Pick<OperatedService, "sealedColumns">[],
): Promise<readonly SealedColumn[]> {
  const columns = await Promise.all(services.map((service) => service.sealedColumns?.() ?? []));
  return columns.flat().sort((one, other) => (one.table < other.table ? -1 : one.table > other.table ? 1 : 0));
}
