/** In the place of a scope: any good token is enough. What forgets this case refuses everybody. */
export const ANY_TOKEN = "*";

/** A function of schema api or gateway that gateway.call can run. */
export interface Command {
  readonly schema: string;
  /** The scope it asks for; {@link ANY_TOKEN} when it asks for a good token and no scope; null when it is for anyone. */
  readonly scope: string | null;
  /** Whether it writes, and so claims an Idempotency-Key. */
  readonly writes: boolean;
  /** Whether it may take seconds, and so waits its turn as lists do: the tag @slow of its comment. */
  readonly slow?: true;
  /** By name, without the p_ prefix. */
  readonly arguments: Readonly<Record<string, Parameter>>;
  /** Of a batch: what each of its items has. */
  readonly items?: Readonly<Record<string, Parameter>>;
}

/** What a command takes under one name. */
export interface Parameter extends Limits {
  /** In Postgres. */
  readonly type: string;
  readonly optional: boolean;
  /** What an absent number is. */
  readonly default?: number;
  /** For a caller; absent where no caller gives it. */
  readonly description?: string;
}

/** Limits of a parameter as keywords of JSON Schema, from the braces of `@param label {..200} Words`: sql/README.md. */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** What the text is, for the description of the API. */
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of each entry of a list: its characters, or the names that it may be. */
  readonly items?: { readonly maxLength?: number; readonly enum?: readonly string[] };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  /** What a text must be that does not match the pattern. */
  readonly message?: string;
  /** Of a text that a row is looked up by: one of more characters, or that Postgres cannot hold, counts as empty and is not refused. */
  readonly elseEmpty?: number;
  /** False where it may be absent but not null. */
  readonly nullable?: false;
}

/** A command of a service whose SQL is outside `sql/`, from the file that is generated beside it. */
export interface AddedCommand extends Command {
  readonly name: string;
}
