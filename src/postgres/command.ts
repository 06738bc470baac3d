/** A function of schema api or gateway that gateway.call can run. */
export interface Command {
  readonly schema: string;
  /** The scope it asks for; null when it is for anyone. */
  readonly scope: string | null;
  /** Whether it writes, and so claims an Idempotency-Key. */
  readonly writes: boolean;
  /** Whether it may take seconds, and so waits its turn as lists do: the tag @slow of its comment. */
  readonly slow?: true;
  /** By name, without the p_ prefix, with their Postgres types. */
  readonly arguments: Readonly<Record<string, { readonly type: string; readonly optional: boolean }>>;
}

/** A command of a service whose SQL is outside `sql/`, from the file that is generated beside it. */
export interface AddedCommand extends Command {
  readonly name: string;
}
