/** Stands instead of a scope: any valid token is enough. Code that forgets this case refuses every caller. */
export const ANY_TOKEN = "*";

/** A function of schema api or gateway that gateway.call can run. */
export interface Command {
  readonly schema: string;
  /** The scope that it needs; {@link ANY_TOKEN} if it needs a token but no scope; null if it is public. */
  readonly scope: string | null;
  /** Whether it writes, and so claims an Idempotency-Key. */
  readonly writes: boolean;
  /** Whether it may take seconds, and so waits its turn like lists do: the tag @slow of its comment. */
  readonly slow?: true;
  /** The most seconds that it may take, if they are more than those of other statements: the number in its tag @slow. */
  readonly seconds?: number;
  /** By name, without the p_ prefix. */
  readonly arguments: Readonly<Record<string, Parameter>>;
  /** For a batch command: the members of each item. */
  readonly items?: Readonly<Record<string, Parameter>>;
}

/** A parameter of a command. */
export interface Parameter extends Limits {
  /** The Postgres type. */
  readonly type: string;
  readonly optional: boolean;
  /** The default of a number. */
  readonly default?: number;
  /** The description for callers; absent if callers do not give the parameter. */
  readonly description?: string;
}

/** Limits of a parameter as keywords of JSON Schema, from the braces of `@param label {..200} Words`: sql/README.md. */
export interface Limits {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The format of the text, for the API description. */
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Limits of each entry of a list: its length, its allowed names, or the format of its text. */
  readonly items?: {
    readonly maxLength?: number;
    readonly enum?: readonly string[];
    /** The reference table that has these names; absent for names of members. */
    readonly namesOf?: string;
    readonly format?: string;
  };
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  /** The reference table that has these names, and maybe more. */
  readonly namesOf?: string;
  readonly pattern?: string;
  /** The error for a text that does not match the pattern. */
  readonly message?: string;
  /** For a text that only looks up a row: a longer text, or one that Postgres cannot hold, counts as empty and is not refused. */
  readonly elseEmpty?: number;
  /** False if the parameter may be absent but not null. */
  readonly nullable?: false;
}

/** A command of a service whose SQL is outside `sql/`, from the file generated beside that SQL. */
export interface AddedCommand extends Command {
  readonly name: string;
}
