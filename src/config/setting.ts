import type { z } from "zod";

/** Facts about an environment variable beyond its schema. */
export interface SettingFacts {
  /** The text in the table of the configuration guide, as CommonMark. */
  readonly meaning: string;
  /** The default that the table shows, where it differs from the value itself. */
  readonly shown?: string;
  /** The value that `selo start` sets outside production if the environment does not set the variable. */
  readonly atStart?: string;
  /** A value for development alone, which production refuses. */
  readonly neverInProduction?: string;
  /** The value in the examples of the documentation, if they are made with another than the default. */
  readonly inExamples?: string;
  /** The name in `platform.settings` under which SQL reads the value. */
  readonly inDatabase?: string;
  /** Whether the variable is the connection of a login that the service's roles.sql makes. `selo migrate` gives the login the password in the variable. */
  readonly isLogin?: true;
}

/** A variable together with its facts. */
export function setting<Schema extends z.ZodType>(schema: Schema, facts: SettingFacts): Schema {
  return schema.meta({ setting: facts });
}

/** The variables of settings with their facts, in order. */
export function factsOf(settings: z.ZodObject): (readonly [name: string, schema: z.ZodType, facts: SettingFacts])[] {
  return Object.entries(settings.shape).map(([name, schema]) => {
    const facts = (schema as z.ZodType).meta()?.["setting"] as SettingFacts | undefined;
    if (facts === undefined) throw new Error(`${name} is not made by setting()`);
    return [name, schema as z.ZodType, facts];
  });
}

/** The table of the configuration guide. */
export function settingsTable(all: readonly z.ZodObject[]): string {
  const rows = all
    .flatMap(factsOf)
    .map(([name, schema, facts]) => `| \`${name}\` | ${shownDefault(schema, facts)} | ${facts.meaning} |`);
  return ["| variable | default | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function shownDefault(schema: z.ZodType, { shown, atStart }: SettingFacts): string {
  const { data } = schema.safeParse(undefined);
  const value = shown ?? (data === undefined ? "none" : `\`${data}\``);
  return atStart === undefined ? value : `${value} (\`${atStart}\` for \`npm start\`)`;
}
