/** A column of secrets that are encrypted under a master key; `selo keys reencrypt` works through those of all services. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** What the value of a row is sealed for, from the members of the row's primary key. */
  readonly purpose: (key: Readonly<Record<string, unknown>>) => string;
}

/** Those of all services, by their tables. */
export async function sealedColumnsOf(
  services: readonly { readonly sealedColumns?: () => Promise<readonly SealedColumn[]> }[],
): Promise<readonly SealedColumn[]> {
  const columns = await Promise.all(services.map((service) => service.sealedColumns?.() ?? []));
  return columns.flat().sort((one, other) => (one.table < other.table ? -1 : one.table > other.table ? 1 : 0));
}
