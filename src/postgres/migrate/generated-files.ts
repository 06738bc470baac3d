import pg from "pg";
import type { Limits } from "../command.ts";
import { clientConfig } from "../pool.ts";
import { readRows, readViews } from "./api-catalog.ts";
import { dumpCatalog } from "./catalog-dump.ts";

/** Every generated file with its text, made from a migrated database. Paths are relative to the package. */
export async function generateFiles(adminUrl: string): Promise<Map<string, string>> {
  const client = new pg.Client(clientConfig({ url: adminUrl, role: null, applicationName: "selo generate" }));
  await client.connect();
  try {
    return new Map([
      ["src/postgres/generated/commands.ts", await generateCommands(client)],
      ["src/postgres/generated/views.ts", await generateViews(client)],
      ["schema/database.sql", await dumpCatalog(client)],
    ]);
  } finally {
    await client.end();
  }
}

/** The tables of src/web/guides/audit-coverage.md: the columns that the audit does not cover, and the columns that it covers. */
export async function coverageTables(adminUrl: string): Promise<{ readonly open: string; readonly covered: string }> {
  const rows = await readRows<CoverageRow>(
    adminUrl,
    `select covered.table_name, covered.check_name, covered.how, string_agg(covered.column_name, ', ' order by covered.place) as columns
     from (select *, row_number() over () as place from platform.audit_coverage_of_all()) as covered
     group by covered.table_name, covered.check_name, covered.how order by min(covered.place)`,
  );
  const table = (heading: string, isShown: (row: CoverageRow) => boolean, cell: (row: CoverageRow) => string) => {
    const lines = rows.filter(isShown).map((row) => `| ${row.table_name} | ${row.columns} | ${cell(row)} |`);
    return [`| table | columns | ${heading} |`, "| --- | --- | --- |", ...lines].join("\n");
  };
  return {
    open: table(
      "what an edit does unnoticed",
      (row) => row.check_name === null,
      ({ how }) => how,
    ),
    covered: table(
      "the check that finds an edit",
      (row) => row.check_name !== null,
      ({ check_name, how }) => `${check_name}: ${how}`,
    ),
  };
}

interface CoverageRow {
  readonly table_name: string;
  readonly columns: string;
  readonly check_name: string | null;
  readonly how: string;
}

interface CommandRow {
  readonly name: string;
  readonly schema: string;
  readonly scope: string | null;
  readonly is_volatile: boolean;
  readonly slow: boolean;
  readonly seconds: number | null;
  readonly parameters: readonly ParameterRow[];
}

interface ParameterRow extends DeclaredRow {
  /** The default of a number; null for other types, whose defaults only the function knows. */
  readonly preset: number | null;
}

interface DeclaredRow {
  readonly name: string;
  readonly type: string;
  readonly is_optional: boolean;
  readonly default_value: string | null;
  readonly limits: Limits | null;
  readonly description: string | null;
  /** False for a member of an item of a batch. */
  readonly is_argument: boolean;
}

async function readCommands(client: pg.Client): Promise<CommandRow[]> {
  const { rows } = await client.query<
    Omit<CommandRow, "parameters"> & { readonly parameters: readonly DeclaredRow[] }
  >(`
    select command.name, command.schema, command.scope, command.is_volatile,
      coalesce(obj_description(command.oid, 'pg_proc') ~ '(^|\\n)@slow( |\\n|$)', false) as slow,
      (regexp_match(obj_description(command.oid, 'pg_proc'), '(?n)^@slow ([0-9]+)$'))[1]::integer as seconds,
      coalesce((select json_agg(parameter order by parameter.is_argument desc, parameter.place)
        from platform.command_parameters() as parameter where parameter.command = command.name), '[]') as parameters
    from gateway.commands as command
    order by command.name collate "C"`);
  const presets = await presetsOf(
    client,
    rows.flatMap(({ parameters }) => parameters),
  );
  return rows.map((row) => ({
    ...row,
    parameters: row.parameters.map((each) => ({ ...each, preset: presets.get(each.default_value ?? "") ?? null })),
  }));
}

/** The values of number defaults by their text, because a default may call a function, such as platform.page_size. */
async function presetsOf(client: pg.Client, parameters: readonly DeclaredRow[]): Promise<Map<string, number | null>> {
  const texts = parameters.flatMap(({ type, default_value }) =>
    default_value !== null && /^(smallint|integer|bigint)$/.test(type) ? [default_value] : [],
  );
  const { rows } = await client.query<(number | null)[]>({
    text: `select ${texts.map((text) => `(${text})::float8`).join(", ")}`,
    rowMode: "array",
  });
  return new Map(texts.map((text, place) => [text, rows[0]?.[place] ?? null]));
}

function commandEntry({ name, schema, scope, is_volatile, slow, seconds, parameters }: CommandRow): string {
  const items = parameters.filter(({ is_argument }) => !is_argument);
  return [
    `  ${name}: {`,
    `    schema: ${JSON.stringify(schema)},`,
    `    scope: ${JSON.stringify(scope)},`,
    `    writes: ${is_volatile},`,
    ...(slow ? ["    slow: true,"] : []),
    ...(seconds === null ? [] : [`    seconds: ${seconds},`]),
    ...parametersEntry(
      "arguments",
      parameters.filter(({ is_argument }) => is_argument),
    ),
    ...(items.length > 0 ? parametersEntry("items", items) : []),
    "  },",
  ].join("\n");
}

function parametersEntry(member: string, parameters: readonly ParameterRow[]): string[] {
  if (parameters.length === 0) return [`    ${member}: {},`];
  return [
    `    ${member}: {`,
    ...parameters.map(({ name, type, is_optional, preset, limits, description }) => {
      const facts = {
        type,
        optional: is_optional,
        ...(preset === null ? {} : { default: preset }),
        ...limits,
        ...(description === null ? {} : { description }),
      };
      return `      ${name}: ${JSON.stringify(facts)},`;
    }),
    "    },",
  ];
}

/**
 * The generated file of services outside `sql/`: their commands, for their routes.
 * @param client of a database that has these services beside the product's services
 */
export async function addedCommands(client: pg.Client): Promise<string> {
  // Imported only now, because `npm run generate` writes the file before others read it.
  const { commands } = await import("../generated/commands.ts");
  const rows = (await readCommands(client)).filter(({ name }) => !Object.hasOwn(commands, name));
  const entries = rows.map((row) => commandEntry(row).replace("{\n", `{\n    name: ${JSON.stringify(row.name)},\n`));
  return `// GENERATED from the database's catalog by this service's test: run it with -u. Do not edit.
export const commands = {
${entries.join("\n")}
} as const;
`;
}

/** The signatures of exposed functions, for the compiler and for tests. */
async function generateCommands(client: pg.Client): Promise<string> {
  const rows = await readCommands(client);
  const counted = await client.query<{ most: number }>("select platform.most_counted() as most");
  return `// GENERATED by \`npm run generate\` from the database's catalog. Do not edit.

import type { Command } from "../command.ts";

export const commands = {
${rows.map(commandEntry).join("\n")}
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

/** The largest number of rows that lists count: platform.most_counted. */
export const MOST_COUNTED = ${counted.rows[0]?.most};
`;
}

/** The JSON type of a column type: instants are text with six digits, amounts of money are decimal strings. */
const JSON_TYPES: Readonly<Record<string, string>> = {
  bigint: "number",
  boolean: "boolean",
  date: "string",
  "double precision": "number",
  integer: "number",
  json: "unknown",
  jsonb: "unknown",
  numeric: "string",
  smallint: "number",
  text: "string",
  "timestamp with time zone": "string",
  uuid: "string",
};

/** The rows of the resource views, as REST answers them. */
async function generateViews(client: pg.Client): Promise<string> {
  const views = (await readViews(client)).map(({ name: view, description, columns }) => ({
    view,
    description,
    columns,
  }));
  const interfaces = views.map(({ view, description, columns }) => {
    const members = columns.map(({ name, type, notNull, description }) => {
      const orNull = notNull ? "" : " | null";
      return `  /** ${inComment(description)} */\n  readonly ${name}: ${jsonType(type)}${orNull};`;
    });
    return `/** ${inComment(description)} */\nexport interface ${rowName(view)} {\n${members.join("\n")}\n}\n`;
  });
  return `// GENERATED by \`npm run generate\` from the database's catalog. Do not edit.

${interfaces.join("\n")}
/** The resource views of schema api with a row of each, as REST answers it. */
export interface Views {
${views.map(({ view }) => `  readonly ${view}: ${rowName(view)};`).join("\n")}
}

/** Their columns, in the documented order. */
export const viewColumns = {
${views.map(({ view, columns }) => `  ${view}: [${columns.map(({ name }) => JSON.stringify(name)).join(", ")}],`).join("\n")}
} as const satisfies { readonly [View in keyof Views]: readonly (keyof Views[View])[] };
`;
}

function jsonType(type: string): string {
  const element = type.endsWith("[]") ? type.slice(0, -2) : null;
  const known = JSON_TYPES[element ?? type];
  if (known === undefined) throw new Error(`add the JSON type of ${type} to JSON_TYPES`);
  return element === null ? known : `readonly ${known}[]`;
}

function rowName(view: string): string {
  return `${view.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Row`;
}

/** Prose that cannot end a comment. */
function inComment(text: string): string {
  return text.replaceAll("*/", "* /");
}
