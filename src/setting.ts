import type { z } from "zod";

/** What is said of a variable of the environment, and done with it, beyond reading it. */
export interface SettingFacts {
  /** For the table in the guide to configuration, as CommonMark. */
  readonly meaning: string;
  /** What the table shows as default, where that is not the value itself. */
  readonly shown?: string;
  /** What `selo start` sets outside production, unless the environment says something. */
  readonly atStart?: string;
  /** The name in `platform.settings` under which SQL reads the value. */
  readonly inDatabase?: string;
  /** Whether it is the connection of a login that the service's roles.sql makes: `selo migrate` sets the password that stands in it. */
  readonly isLogin?: true;
}

/** A variable with what is said of it. */
export function setting<Schema extends z.ZodType>(schema: Schema, facts: SettingFacts): Schema {
  return schema.meta({ setting: facts });
}

/** The variables of settings with their facts, in their order. */
export function factsOf(settings: z.ZodObject): (readonly [name: string, schema: z.ZodType, facts: SettingFacts])[] {
  return Object.entries(settings.shape).map(([name, schema]) => {
    const facts = (schema as z.ZodType).meta()?.["setting"] as SettingFacts | undefined;
    if (facts === undefined) throw new Error(`${name} is not made by setting()`);
    return [name, schema as z.ZodType, facts];
  });
}

/** The table in the guide to configuration. */
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
