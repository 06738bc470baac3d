// What the tags of SQL say a parameter may be: in SQL it is asked at the border, just under it and just over it, in REST and
// GraphQL, which read the same tags, at the border and just over it.
import { randomUUID } from "node:crypto";
import {
  buildClientSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandFacts, commandName } from "../../src/postgres/any-command.ts";
import type { Command, Parameter } from "../../src/postgres/command.ts";
import type { Service } from "../../src/services/service.ts";
import { apiV1 } from "../../src/surfaces/rest/api-v1.ts";
import { type Route, routesOf, scopeOf } from "../../src/surfaces/rest/route.ts";
import type { RestSurface } from "../../src/surfaces/rest/surface.ts";
import { surfaceOf } from "../../src/surfaces/rest/surfaces.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "./gateway.ts";
import { type Asker, graphql, post } from "./graphql-client.ts";
import { call } from "./rest-client.ts";
import type { OperationFacts, SurfaceFacts } from "./service-facts.ts";

type Fields = readonly { readonly field: string; readonly message: string }[];

/** Words of a limit; other rules of a member have others. */
const OF_LIMITS = /^must (have|not have|not be empty|be between|be one of|be \d+ |be a whole number)/;
const isLimit = (fields: Fields, name: string) =>
  fields.some(({ field, message }) => field.split(".")[0] === name && OF_LIMITS.test(message));

interface Case {
  readonly what: string;
  readonly value: unknown;
  readonly fits: boolean;
}

/** Values at the limits of a parameter, just under and just over. */
function casesOf(parameter: Parameter): Case[] {
  const { minLength = 0, maxLength, pattern, format, minItems = 0, maxItems, items, minimum, maximum } = parameter;
  const of =
    (fits: boolean) =>
    (what: string, value: unknown): Case => ({ what, value, fits });
  const [fits, not] = [of(true), of(false)];
  if (parameter.enum !== undefined)
    return [...parameter.enum.map((name) => fits(name, name)), not("another", "ANOTHER"), not("empty", "")];
  if (pattern !== undefined) {
    const text = HEXADECIMAL;
    if (!new RegExp(pattern).test(text)) {
      const { shortest, longest } = textsOf(pattern);
      return [
        fits("the shortest text", shortest),
        fits("the longest text", longest),
        not("empty", ""),
        not("one character less", shortest.slice(1)),
        not("a line feed at its end", `${longest}\n`),
        not("one character more", `${longest}${longest.at(-1)}`),
      ];
    }
    if (maxLength !== text.length)
      return [
        fits("one character", "a"),
        fits(`${maxLength} characters`, "a".repeat(maxLength ?? 0)),
        not("empty", ""),
        not(`${maxLength} characters and one more`, "a".repeat((maxLength ?? 0) + 1)),
        not("a line feed at its end", "a\n"),
      ];
    return [
      fits("a text of it", text),
      not("one less", text.slice(1)),
      not("one more", `${text}0`),
      not("another case", text.toUpperCase()),
      not("a line feed at its end", `${text}\n`),
    ];
  }
  if (items?.enum !== undefined) {
    const { enum: names } = items;
    return [
      ...names.map((name) => fits(name, [name])),
      fits("all of them", names),
      not("no entry", minItems > 0 ? [] : ["ANOTHER"]),
      not("one entry too many", Array<string>((maxItems ?? 0) + 1).fill(names[0] ?? "")),
      not("another", [names[0], "ANOTHER"]),
      not("in another case", [inAnotherCase(String(names[0]))]),
      not("an empty one", [""]),
    ];
  }
  if (maxItems !== undefined && items?.format === "uuid") {
    const list = (count: number) => Array.from({ length: count }, () => randomUUID());
    return [fits(`${maxItems} ids`, list(maxItems)), not(`${maxItems + 1} ids`, list(maxItems + 1))];
  }
  if (maxItems !== undefined && items?.maxLength !== undefined) {
    const most = items.maxLength;
    const list = (count: number) => Array<string>(count).fill("*");
    return [
      ...(minItems > 0
        ? [fits(`${minItems} entries`, list(minItems)), not(`${minItems - 1} entries`, list(minItems - 1))]
        : []),
      fits(`${maxItems} entries`, list(maxItems)),
      not(`${maxItems + 1} entries`, list(maxItems + 1)),
      fits(`an entry of ${most}`, ["a".repeat(most)]),
      not(`an entry of ${most + 1}`, ["a".repeat(most + 1)]),
    ];
  }
  if (maxLength !== undefined) {
    const start = format === "uri" ? "https://example.com/" : "";
    const text = (length: number, letter = "a") => start + letter.repeat(Math.max(0, length - start.length));
    return [
      ...(minLength > 0
        ? [fits(`${minLength} characters`, text(minLength)), not(`${minLength - 1} characters`, text(minLength - 1))]
        : []),
      fits(`${maxLength - 1} characters`, text(maxLength - 1)),
      fits(`${maxLength} characters`, text(maxLength)),
      not(`${maxLength + 1} characters`, text(maxLength + 1)),
      ...(format === undefined
        ? [
            fits(`${maxLength} astral characters`, text(maxLength, "😀")),
            not(`${maxLength + 1} astral characters`, text(maxLength + 1, "😀")),
          ]
        : []),
    ];
  }
  if (minimum === undefined || maximum === undefined) throw new Error(`no cases for ${JSON.stringify(parameter)}`);
  return [
    fits(String(minimum), minimum),
    fits(String(maximum), maximum),
    not(String(minimum - 1), minimum - 1),
    not(String(maximum + 1), maximum + 1),
  ];
}

const inAnotherCase = (name: string) => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase());
const HEXADECIMAL = "0123456789abcdef".repeat(4);

/** The shortest and the longest text of a pattern of letters, digits, groups and alternatives: `^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$`. */
function textsOf(pattern: string): { readonly shortest: string; readonly longest: string } {
  const [shortest, longest] = [false, true].map((isLongest) => textOf(pattern, isLongest)) as [string, string];
  for (const each of [shortest, longest]) expect(each, `there is no text of ${pattern}`).toMatch(new RegExp(pattern));
  return { shortest, longest };
}

function textOf(pattern: string, isLongest: boolean): string {
  // A group becomes the text of it, the innermost first.
  const group = /\(([^()]*)\)(\?)?/.exec(pattern);
  if (group !== null) {
    const [whole, inner = "", mayMiss] = group;
    const text = mayMiss && !isLongest ? "" : textOf(inner, isLongest);
    return textOf(
      pattern.replace(whole, () => text.replaceAll(".", "\\.")),
      isLongest,
    );
  }
  const texts = pattern.split("|").map((one) =>
    one
      .replaceAll(/^\^|\$$/g, "")
      .replaceAll(
        /(?:\[(\w)[^\]]*\]|\\(\.)|([^\\[\]{}?]))(?:\{(\d+)(?:,(\d+))?\}|(\?))?/g,
        (_, letter, dot, own, least, most, mayMiss) => {
          const times = mayMiss ? [0, 1] : [Number(least ?? 1), Number(most ?? least ?? 1)];
          return String(letter ?? dot ?? own).repeat(times[isLongest ? 1 : 0] ?? 1);
        },
      ),
  );
  return texts.reduce((one, other) =>
    other.length > one.length === isLongest && other.length !== one.length ? other : one,
  );
}

/** A value of its type, for what is not asked. */
function anyOf({ type, enum: names, pattern, format }: Parameter): unknown {
  if (names !== undefined) return names[0];
  if (pattern !== undefined) return new RegExp(pattern).test(HEXADECIMAL) ? HEXADECIMAL : textsOf(pattern).longest;
  if (format === "uri") return "https://example.com/";
  const values: Readonly<Record<string, unknown>> = {
    uuid: randomUUID(),
    // Also good base64.
    text: "YQ==",
    "text[]": ["*"],
    "uuid[]": [],
    boolean: false,
    integer: 1,
    bigint: 1,
    "double precision": 0.5,
    jsonb: [],
  };
  return values[type] ?? "2026-11-20";
}

/** What a test of limits needs to know beside the commands. */
export interface LimitOptions {
  /** Services that the gateway has beside these, whose limits are tested elsewhere. */
  readonly others?: readonly Service[];
  /** Limited members of commands that have neither a path nor a field, as `command.member`. */
  readonly withoutPath?: readonly string[];
  readonly beyond?: readonly SurfaceFacts[];
  readonly operations?: Readonly<Record<string, OperationFacts>>;
  /** Whether REST and GraphQL are asked all that SQL is asked elsewhere, in place of the border alone. */
  readonly isFull?: boolean;
}

/** Defines the tests of the commands of services: of those of their operations, and of others that GraphQL or a stream call. */
export function testLimits(
  services: readonly Service[],
  every: Readonly<Record<string, Command>>,
  { others = [], withoutPath = [], beyond = [], operations: known = {}, isFull = false }: LimitOptions = {},
): void {
  const operations = services.flatMap((service) => service.operations ?? []);
  // Surfaces whose credentials are not given here read the same shapes.
  const surfaces = [apiV1, ...beyond.map(({ surface }) => surface)];
  const routes = routesOf(services).filter((route) => surfaces.includes(surfaceOf(route)));
  const commands = new Map(Object.entries(every));
  /** The field of a command: PostGraphile's of a function of schema api, or that of its operation. */
  const fieldOf = (command: string): string | null => {
    if (commands.get(command)?.schema === "api") return inCamelCase(command.replace(/^(get|list)_/, ""));
    const own = operations.find((operation) => commandName(operation.command) === command);
    return own?.graphql === undefined ? null : (own.graphql.field ?? own.name);
  };
  const isMade = (command: string, member: string) =>
    operations.some((own) => commandName(own.command) === command && own.made?.includes(member));
  const limited = [...commands].flatMap(([command, facts]) =>
    Object.entries(membersOf(facts)).flatMap(([name, parameter]): [string, string, Parameter][] =>
      casesExist(parameter) ? [[command, name, parameter]] : [],
    ),
  );
  let selo: TestGateway;
  let organization: TestOrganization;
  let fieldsOfRoot: Awaited<ReturnType<typeof rootFields>>;
  let person: Asker | undefined;
  const credentials = new Map<RestSurface, Readonly<Record<string, string>>>();
  beforeAll(async () => {
    selo = await startTestGateway(
      { TOKEN_REQUESTS_PER_MINUTE: "100000", PUBLIC_REQUESTS_PER_MINUTE: "100000" },
      { services: [...others, ...services] },
    );
    organization = await selo.newOrganization();
    fieldsOfRoot = await rootFields(selo, organization.test);
    await selo.database.admin.query(ASKED);
    for (const { surface, credentials: make } of beyond) {
      const headers = await make(selo, organization);
      credentials.set(surface, headers);
      if (surface.takesSessions) person = headers;
    }
  });
  afterAll(() => selo.stop());

  test("there are limits", () => expect(limited.length).toBeGreaterThan(3));

  describe.each(limited)("%s(%s)", (command, name, parameter) => {
    const cases = casesOf(parameter);
    const asked = isFull ? cases : atTheBorder(cases);
    const expected = (of: readonly Case[]) => of.map(({ what, fits }) => ({ what, isOver: !fits }));

    if (!isFull)
      test("in SQL", async () => {
        expect(await askSql(command, name, cases)).toEqual(expected(cases));
      });

    const asking = routes.filter((route) => commandName(route.command) === command && name in givenOf(route));
    for (const route of asking)
      test(`in REST, by ${route.method} ${route.path}`, async () => {
        const answers = asked.map(async ({ what, value }) => ({
          what,
          isOver: isLimit(await askRest(route, name, value), name),
        }));
        expect(await Promise.all(answers)).toEqual(expected(asked));
      });

    const field = fieldOf(command);
    // What an operation makes itself, such as the name of its file, is no member of its field.
    if (field !== null && !isMade(command, name))
      test("in GraphQL", async () => {
        const answers = asked.map(async ({ what, value }) => ({ what, isOver: await askGraphql(field, name, value) }));
        expect(await Promise.all(answers)).toEqual(expected(asked));
      });
  });

  const lookedUp = routes.flatMap((route) =>
    Object.entries(membersOf(commandFacts(route.command))).flatMap(
      ([name, { elseEmpty }]): [string, Route, string, number][] =>
        elseEmpty === undefined ? [] : [[`${route.method} ${route.path}: ${name}`, route, name, elseEmpty]],
    ),
  );
  if (lookedUp.length > 0)
    describe("what is looked up by a text that counts as empty is not found", () => {
      test.each(lookedUp)("%s", async (_, route, name, most) => {
        for (const text of ["a".repeat(most), "a".repeat(most + 1), "😀".repeat(most + 1), "a\0"]) {
          const path = ofOrganization(route).replace(`{${name}}`, encodeURIComponent(text));
          expect(path).not.toBe(ofOrganization(route));
          const { status } = await askPath(route, path, known[route.operation]?.body);
          // A path that tells nobody what exists answers always alike.
          expect({ text, status }).toEqual({ text, status: route.status === 202 ? 202 : 404 });
        }
      });
    });

  test("every limit of a command that has a path or a field is asked of it", () => {
    const unasked = limited.filter(([command]) => {
      const hasPath = routes.some((route) => commandName(route.command) === command);
      return !hasPath && fieldOf(command) === null;
    });
    // Those of a stream alone, which has its own form, and those of the second half of a request.
    expect(unasked.map(([command, name]) => `${command}.${name}`).sort()).toEqual(withoutPath.toSorted());
  });

  /** Asks for each case in a subtransaction of one statement, which is undone. */
  async function askSql(command: string, name: string, cases: readonly Case[]) {
    const facts = commands.get(command) as Command;
    const required = Object.entries(membersOf(facts)).filter(([, { optional }]) => !optional);
    const others = Object.fromEntries(required.map(([member, parameter]) => [member, anyOf(parameter)]));
    const [batch = ""] = Object.keys(facts.arguments);
    const given = cases.map(({ value }) => {
      const item = { ...others, [name]: value };
      return facts.items === undefined ? item : { [batch]: [item] };
    });
    const { rows } = await selo.database.admin.query<{ code: string | null; detail: string | null }>(
      "select code, detail from public.asked($1, $2, $3)",
      [organization.id, command, JSON.stringify(given)],
    );
    return cases.map(({ what }, place) => {
      const { code, detail } = rows[place] ?? { code: "none", detail: "" };
      // What is documented: anything else would be a fault, and no answer to what is asked here.
      if (code !== null) expect(code, `${what}: ${detail}`).toMatch(/^PT/);
      const fields = code === null ? detailOfItem(facts, detail) : detail;
      return { what, isOver: isLimit(fieldsOf(fields), name) };
    });
  }

  async function askRest(route: Route, name: string, value: unknown): Promise<Fields> {
    const facts = membersOf(commandFacts(route.command));
    const path = ofOrganization(route).replaceAll(/\{(\w+)\}/g, (_, member: string) =>
      encodeURIComponent(String(member === name ? value : anyOf(facts[member] ?? { type: "uuid", optional: false }))),
    );
    const query = route.query && name in route.query.shape ? `?${new URLSearchParams({ [name]: String(value) })}` : "";
    const others = Object.entries(route.body?.shape ?? {}).filter(([member]) => facts[member]?.optional === false);
    const body = route.body && {
      ...Object.fromEntries(others.map(([member]) => [member, anyOf(facts[member] as Parameter)])),
      ...(name in route.body.shape ? { [name]: value } : {}),
    };
    const response = await askPath(route, `${path}${query}`, body);
    return response.status === 422 ? (response.body.fields as Fields) : [];
  }

  /** The route's path with the number of the organization. */
  const ofOrganization = (route: Route) =>
    route.path.replace(`{${surfaceOf(route).organizationIn?.parameter}}`, String(organization.number));

  function askPath(route: Route, path: string, body: object | undefined) {
    const { prefix } = surfaceOf(route);
    const headers = credentials.get(surfaceOf(route));
    const token = scopeOf(route) === null || headers ? null : organization.test;
    return call(selo, route.method, path, { prefix, token, body, ...(headers ? { headers } : {}) });
  }

  /** Whether a field refuses a value for its limit. */
  async function askGraphql(name: string, parameter: string, value: unknown): Promise<boolean> {
    const { root, args, selection } = fieldsOfRoot.get(name) as RootField;
    const member = inCamelCase(parameter);
    const input = args.find((arg) => arg.name === "input");
    const inputType = input && getNamedType(input.type);
    const members = isInputObjectType(inputType) ? Object.values(inputType.getFields()) : args;
    expect(members.map((each) => each.name)).toContain(member);
    const file = members.find((each) => getNamedType(each.type).name === "Upload");
    // Names of a reference table are an enum in capitals.
    const isName = isEnumType(getNamedType(members.find((each) => each.name === member)?.type as GraphQLInputType));
    const asked = isName && value !== "" ? String(value).toUpperCase() : value;
    const given = Object.fromEntries(
      members
        .filter((each) => each !== file && (each.name === member || isNonNullType(each.type)))
        .map((each) => [each.name, each.name === member ? asked : anyInput(each)]),
    );
    const variables = input ? { input: given } : given;
    const declared = args.filter((arg) => arg.name in variables);
    const document = `${root}(${declared.map((arg) => `$${arg.name}: ${arg.type}`).join(", ")}) { ${name}(${declared.map((arg) => `${arg.name}: $${arg.name}`).join(", ")}) ${selection} }`;
    const ask = (asker: Asker) =>
      file === undefined
        ? graphql(selo, asker, document, variables)
        : post(selo, asker, uploadOf(document, { ...given, [file.name]: null }, file.name));
    const asToken = await ask(organization.test);
    // What people alone may do is asked as one of them.
    const { errors } = asToken.status === 403 && person !== undefined ? await ask(person) : asToken;
    return errors.some(
      ({ message, extensions: { code, fields = [] } }) =>
        code === "invalid_request" &&
        (isLimit(fields, member) ||
          /non 32-bit|must be a whole number|does not exist in "\w+" enum/.test(message + JSON.stringify(fields))),
    );
  }
}

/** What commands answer, or how they refuse, in the order of what is given; whatever they did is undone. */
const ASKED = `
  create function public.asked(p_tenant_id uuid, p_command text, p_given jsonb)
  returns table (code text, detail text) language plpgsql as $$
  declare
    v_given jsonb;
  begin
    for v_given in select given.value from jsonb_array_elements(p_given) with ordinality as given (value, place) order by place loop
      begin
        perform platform.enter_context(p_tenant_id, 'test', null, null, (select array_agg(name) from platform.scopes));
        code := null;
        detail := gateway.run_command(p_command, v_given)::text;
        raise exception using errcode = 'UNDO0';
      exception
        when sqlstate 'UNDO0' then null;
        when others then get stacked diagnostics code = returned_sqlstate, detail = pg_exception_detail;
      end;
      return next;
    end loop;
  end;
  $$`;

/** An item of a batch fails for itself. */
const detailOfItem = ({ items }: Command, answer: string | null): string | undefined =>
  items === undefined ? undefined : JSON.parse(answer ?? "[]")[0]?.failure?.detail;

/** The last value that fits, and the last that does not. */
const atTheBorder = (cases: readonly Case[]): readonly Case[] =>
  [cases.findLast(({ fits }) => fits), cases.findLast(({ fits }) => !fits)].filter((each) => each !== undefined);

const givenOf = ({ params, query, body }: Route) => ({ ...params?.shape, ...query?.shape, ...body?.shape });
/** What a command takes of one caller. */
const membersOf = ({ items, arguments: taken }: Command) => items ?? taken;
const fieldsOf = (detail: string | null | undefined): Fields =>
  (JSON.parse(detail || "{}") as { readonly fields?: Fields }).fields ?? [];
/** No caller sends a longer text: what is longer is made by an operation. */
const MOST_ASKED = 2 ** 24;
const casesExist = (parameter: Parameter) =>
  (parameter.maxLength ?? 0) <= MOST_ASKED &&
  ["enum", "pattern", "maxItems", "maxLength", "maximum"].some((limit) => limit in parameter);
const inCamelCase = (name: string) => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

interface RootField {
  readonly root: "query" | "mutation";
  readonly args: readonly GraphQLArgument[];
  readonly selection: string;
}

async function rootFields(selo: TestGateway, token: string): Promise<Map<string, RootField>> {
  const { data } = await graphql(selo, token, getIntrospectionQuery());
  const schema = buildClientSchema(data as never);
  const roots = [
    ["query", schema.getQueryType()],
    ["mutation", schema.getMutationType()],
  ] as const;
  return new Map(
    roots.flatMap(([root, type]) =>
      Object.values(type?.getFields() ?? {}).map(({ name, args, type: of }): [string, RootField] => [
        name,
        { root, args, selection: isObjectType(getNamedType(of)) ? "{ __typename }" : "" },
      ]),
    ),
  );
}

/** A GraphQL multipart request with a small file as this member of its input. */
function uploadOf(query: string, input: object, member: string): FormData {
  const form = new FormData();
  form.set("operations", JSON.stringify({ query, variables: { input } }));
  form.set("map", JSON.stringify({ 0: [`variables.input.${member}`] }));
  form.set("0", new Blob(["A"]), "a.txt");
  return form;
}

/** A value of its type, for what is not asked. */
function anyInput({ type }: GraphQLInputField | GraphQLArgument): unknown {
  const nullable = isNonNullType(type) ? type.ofType : type;
  if (isListType(nullable)) return ["*"];
  const named = getNamedType(type);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  const { name } = named;
  return name === "Int" || name === "BigInt" || name === "Float"
    ? 1
    : name === "Boolean"
      ? false
      : name === "String" || name === "ID"
        ? randomUUID()
        : "2026-11-20T00:00:00Z";
}
