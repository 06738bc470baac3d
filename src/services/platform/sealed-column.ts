/** A column of secrets that are encrypted under a master key; `selo keys reencrypt` works through those of all services. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** What the value of a row is sealed for, from the members of the row's primary key. */
  readonly purpose: (key: Readonly<Record<string, unknown>>) => string;
}
