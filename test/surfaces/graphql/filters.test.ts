// Lists filter in GraphQL as in REST: every parameter of every list.
import { readdir, readFile } from "node:fs/promises";
import { buildSchema, type GraphQLField, getNamedType, isEnumType, isInputObjectType } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { productFacts } from "../../support/service-facts.ts";

const SCHEMA = new URL("../../../schema/", import.meta.url);
const facts = productFacts.flatMap(({ graphql: own }) => own ?? []);
const named: Readonly<Record<string, string>> = Object.assign({}, ...facts.map(({ lists }) => lists));
const unfiltered: Readonly<Record<string, string>> = Object.assign({}, ...facts.map((own) => own.unfiltered));

/** How a page is chosen, and what of each item is shown: `first`, `after`, and the selection. */
const PAGING = ["cursor", "limit", "offset", "before", "fields"];

interface Parameter {
  readonly name: string;
  readonly in: string;
}
interface Described {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly operationId: string; readonly parameters?: readonly object[] } }>
  >;
  readonly components?: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

/** The parameters of the query of each operation that reads, by its name. */
async function listsOfRest(): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = (await readdir(SCHEMA)).filter((name) => /^openapi.*\.json$/.test(name));
  const documents = await Promise.all(
    files.map(async (name) => JSON.parse(await readFile(new URL(name, SCHEMA), "utf8")) as Described),
  );
  return new Map(
    documents.flatMap(({ paths, components }) =>
      Object.values(paths).flatMap(({ get }) => {
        const parameters = (get?.parameters ?? []).map((given) =>
          "$ref" in given ? components?.parameters?.[String(given.$ref).split("/").at(-1) ?? ""] : (given as Parameter),
        );
        const query = parameters.flatMap((each) => (each?.in === "query" ? [each.name] : []));
        return get !== undefined && query.length > 0 ? [[get.operationId, query] as const] : [];
      }),
    ),
  );
}

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
/** A query is named after its answer, without a verb. */
const fieldNameOf = (operation: string) =>
  named[operation] ?? operation.replace(/^(?:get|list)([A-Z])/, (_, letter: string) => letter.toLowerCase());

const schema = buildSchema(await readFile(new URL("schema.graphql", SCHEMA), "utf8"));
const fields = schema.getQueryType()?.getFields() ?? {};

/** The columns by which a connection filters, each with the type of its operators. */
function filtersOf(field: GraphQLField<unknown, unknown>) {
  const type = getNamedType(field.args.find(({ name }) => name === "filter")?.type);
  return isInputObjectType(type) ? Object.values(type.getFields()) : [];
}

function hasFilter(field: GraphQLField<unknown, unknown>, parameter: string): boolean {
  const name = parameter === "q" ? "search" : camel(parameter);
  if (field.args.some((argument) => argument.name === name)) return true;
  if (["from", "to"].includes(name)) return filtersOf(field).some(({ type }) => String(type) === "DatetimeFilter");
  return filtersOf(field).some((column) => column.name === name);
}

test("each list filters by what its list of REST filters by, or says why not", async () => {
  const lists = await listsOfRest();
  expect(lists.size).toBeGreaterThan(15);
  const missing = [...lists].flatMap(([operation, parameters]) => {
    const field = fields[fieldNameOf(operation)];
    return parameters.flatMap((parameter) =>
      PAGING.includes(parameter) || (field !== undefined && hasFilter(field, parameter))
        ? []
        : [`${operation}.${parameter}`],
    );
  });
  expect(missing.sort()).toEqual(Object.keys(unfiltered).sort());
});

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

/** A value of a type of operators. */
function sampleOf(type: string): string {
  const of = schema.getType(type.replace(/Filter$/, ""));
  if (isEnumType(of)) return of.getValues()[0]?.name ?? "";
  return (
    { Int: "200", Datetime: '"2020-01-01T00:00:00Z"', ID: '"01a1fba4-b4c6-717b-8089-2cd0f88410ec"' }[
      String(of?.name)
    ] ?? '"x"'
  );
}

test("every filter and search of every list is answered", async () => {
  const organization = await selo.newOrganization();
  for (const field of Object.values(fields)) {
    const asked = [
      ...filtersOf(field).map(({ name, type }) => `filter: {${name}: {equalTo: ${sampleOf(String(type))}}}`),
      ...field.args.flatMap(({ name }) =>
        name === "search" ? ['search: "x"'] : name === "archived" ? ["archived: true", "archived: false"] : [],
      ),
    ];
    if (asked.length === 0) continue;
    const document = `{ ${asked.map((given, place) => `a${place}: ${field.name}(${given}) { totalCount nodes { id } }`).join(" ")} }`;
    const asUuid = await graphql(selo, organization.test, document);
    const isNumber = asUuid.errors.some(({ message }) => message.includes("must be a whole number"));
    const { data, errors } = isNumber
      ? await graphql(selo, organization.test, document.replaceAll(/"[0-9a-f-]{36}"/g, '"1"'))
      : asUuid;
    const codes = new Set(errors.map(({ extensions }) => extensions.code));
    // Keys alone read some lists.
    if (codes.size === 1 && codes.has("missing_scope")) continue;
    expect([field.name, errors]).toEqual([field.name, []]);
    expect(Object.keys(data ?? {})).toHaveLength(asked.length);
  }
});
