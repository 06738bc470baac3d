import {
  buildClientSchema,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isLeafType,
  isObjectType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../../src/services/service.ts";
import type { TestOrganization } from "../gateway.ts";
import { type Asker, answered, type GraphqlAnswer, graphql } from "../graphql-client.ts";
import { countRows } from "../rest-client.ts";
import { type Others, openStage, type RootField, type ServiceIsolation, type SignedIn } from "./isolation.ts";

const text = ({ data, errors }: GraphqlAnswer) => JSON.stringify([data, errors]);
const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];

/**
 * Defines the isolation matrix of GraphQL: every root field × other tenant, other environment, missing scope, anonymous.
 * @param others services that the gateway has beside these, whose matrix is tested elsewhere
 */
export function testGraphqlIsolation(
  services: readonly Service[],
  isolations: readonly ServiceIsolation[],
  others: Others = { services: [], isolations: [] },
): void {
  const rootFields: ServiceIsolation["graphql"] = Object.assign({}, ...isolations.map(({ graphql }) => graphql));
  const scoped = Object.entries(rootFields).flatMap(([name, field]): [string, string, RootField][] =>
    field.scope === null ? [] : [[name, field.scope, field]],
  );
  const anyones = Object.entries(rootFields).filter(([, { scope }]) => scope === null);
  let stage: Awaited<ReturnType<typeof openStage>>;
  let schema: GraphQLSchema;
  beforeAll(async () => {
    stage = await openStage(isolations, [...others.services, ...services]);
    for (const isolation of isolations) await isolation.renew?.(stage);
    const { data } = await graphql(stage.selo, stage.owner.live, getIntrospectionQuery());
    schema = buildClientSchema(data as unknown as Parameters<typeof buildClientSchema>[0]);
  });
  afterAll(() => stage.selo.stop());

  const isolationOf = (name: string) => isolations.find(({ graphql }) => Object.hasOwn(graphql, name));
  /** The services whose owner was answered a mutation, which may have changed or removed what the owner has. */
  const changed = new Set<ServiceIsolation | undefined>();

  /** Types with a query that finds one object by its id. */
  const byId = () =>
    Object.values(schema.getQueryType()?.getFields() ?? {})
      .filter(
        ({ args, type }) =>
          args.map(({ name }) => name).join() === "id" && isObjectType(type) && Object.hasOwn(type.getFields(), "id"),
      )
      .map(({ name, type }) => ({ name, type: type as GraphQLObjectType }))
      .sort((one, two) => one.type.name.localeCompare(two.type.name));

  /** Types of the interface Node: the query of one object by its id, the list, and the members with plain values. */
  function nodeTypes() {
    const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
    return schema
      .getPossibleTypes(schema.getType("Node") as GraphQLInterfaceType)
      .map((type) => ({
        type,
        name: byId().find((one) => one.type === type)?.name ?? "",
        list: queries.find((field) => getNamedType(field.type).name === `${type.name}Connection`)?.name ?? "",
        leaves: Object.values(type.getFields())
          .filter(({ type: of, args }) => isLeafType(getNamedType(of)) && args.length === 0)
          .map((field) => field.name)
          .join(" "),
      }))
      .sort((one, two) => one.type.name.localeCompare(two.type.name));
  }

  const isMutation = (name: string) => Object.hasOwn(schema.getMutationType()?.getFields() ?? {}, name);

  /** What the owner is answered. */
  async function askAsOwner(name: string, { ask }: RootField, asker: Asker): Promise<GraphqlAnswer> {
    if (isMutation(name)) changed.add(isolationOf(name));
    return ask(stage, asker);
  }

  /** Makes anew what the owner has of the service of this root field, if an answer may have changed or removed it. */
  async function renew(name: string): Promise<void> {
    const isolation = isolationOf(name);
    // What people prove to themselves is counted as attempts, also where the answer refuses it.
    if (changed.delete(isolation) || rootFields[name]?.isOfPeople) await isolation?.renew?.(stage);
  }

  /** A credential of all scopes; where keys alone hold the scope, a key, which is of live; where people alone do, the session of an owner. */
  async function credentialOf(
    name: string,
    organization: TestOrganization,
    environment: "live" | "test",
  ): Promise<Asker> {
    const { isOfKeys, isOfPeople } = rootFields[name] as RootField;
    if (isOfPeople) return ownerOf(organization, environment);
    return isOfKeys ? keyOf(name, organization) : organization[environment];
  }

  async function ownerOf(organization: TestOrganization, environment: "live" | "test"): Promise<Asker> {
    const { people, strangers } = await everybody();
    const found = (organization === stage.owner ? people : strangers).find(({ role }) => role === "owner");
    return { ...found?.headers, "x-environment": environment };
  }

  async function keyOf(name: string, organization: TestOrganization, scopes?: readonly string[]): Promise<string> {
    const key = await isolationOf(name)?.key?.(stage, organization, scopes);
    if (key === undefined) throw new Error(`the service of ${name} makes no keys`);
    return key;
  }

  /** A credential of these scopes alone, or of all of its kind but one. */
  async function scopedOf(name: string, environment: "live" | "test", choose: (all: readonly string[]) => string[]) {
    const { isOfKeys, isOfPeople } = rootFields[name] as RootField;
    if (isOfPeople) return ownerOf(stage.owner, environment);
    if (!isOfKeys) return stage.owner.token(environment, choose(await stage.selo.operator.allScopes()));
    const { rows } = await stage.selo.database.admin.query<{ name: string }>(
      "select name from platform.scopes where 'api_key' = any (kinds)",
    );
    return keyOf(name, stage.owner, choose(rows.map((scope) => scope.name)));
  }

  /** Nothing of the owner's in live is in it. */
  function expectNothingOf(answer: GraphqlAnswer): void {
    for (const secret of stage.secrets) expect(text(answer)).not.toContain(secret);
  }

  /** Asked for what the owner has, another is shown nothing of it. */
  function expectApart(field: RootField, answer: GraphqlAnswer, environment: "live" | "test"): void {
    const isElsewhere = environment === "live" ? field.isOfTest : field.isOfLive;
    if (isElsewhere) expect(codes(answer)).toEqual([403, "forbidden"]);
    else if (field.isOfOne) expect(codes(answer)).toEqual([404, "not_found"]);
    else expect(codes(answer)).toEqual((field.isOfSelf && field.refused) || [200]);
    expectNothingOf(answer);
    for (const word of isolations.flatMap(({ secretsNow }) => secretsNow?.() ?? []))
      expect(text(answer)).not.toContain(word);
  }

  /** People of both organizations, where a service signs people in. */
  async function everybody() {
    signedIn ??= Promise.all(
      [stage.owner, stage.stranger].map(async (organization) => {
        const makers = [...isolations, ...others.isolations].flatMap(({ people }) => people ?? []);
        return (await Promise.all(makers.map((make) => make(stage, organization)))).flat();
      }),
    );
    const [people = [], strangers = []] = await signedIn;
    expect(people.length).toBeGreaterThan(0);
    const withAny = ({ role, scopes, ...more }: SignedIn) => ({
      ...more,
      role,
      scopes: role === null ? scopes : [...scopes, "*"],
    });
    return { people: people.map(withAny), strangers: strangers.map(withAny) };
  }
  let signedIn: Promise<SignedIn[][]> | null = null;

  test("every root field stands in the matrix, and only those", () => {
    const names = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    );
    const named = [...isolations, ...others.isolations].flatMap(({ graphql }) => Object.keys(graphql));
    expect(names.sort()).toEqual(named.sort());
  });

  test("node reads every object that a query finds by its id, as it stands in its list, within the same rights", async () => {
    const types = nodeTypes();
    expect(types.map(({ type }) => type.name)).toEqual(byId().map(({ type }) => type.name));
    for (const { type, name, list, leaves } of types) {
      if (!Object.hasOwn(rootFields, name)) continue;
      const { scope, isOfTest, isOfKeys, isShared } = rootFields[name] as RootField;
      const [own, other] = isOfTest ? (["test", "live"] as const) : (["live", "test"] as const);
      const owner = await credentialOf(name, stage.owner, own);
      const listed = await graphql(stage.selo, owner, `{ ${list}(first: 1) { nodes { __typename ${leaves} } } }`);
      const [object] = answered<{ nodes: { nodeId: string; id: string }[] }>(listed, list).nodes;
      expect([type.name, object]).toEqual([type.name, expect.objectContaining({ __typename: type.name })]);
      const document = `query ($id: ID!) { node(id: $id) { __typename nodeId ... on ${type.name} { ${leaves} } } }`;
      const read = (asker: Asker) => graphql(stage.selo, asker, document, { id: object?.nodeId });
      expect((await read(owner)).data).toEqual({ node: object });
      expect(codes(await read(null))).toEqual([401, "unauthenticated"]);
      if (scope === null) continue;
      const asked = `query ($id: ID!) { node: ${name}(id: $id) { id } }`;
      const strangers = [
        await credentialOf(name, stage.stranger, "live"),
        await credentialOf(name, stage.stranger, "test"),
      ];
      if (!isShared && !isOfKeys) strangers.push(await credentialOf(name, stage.owner, other));
      strangers.push(await scopedOf(name, own, (all) => all.filter((each) => each !== scope)));
      for (const asker of strangers) {
        const answer = await read(asker);
        const before = await graphql(stage.selo, asker, asked, { id: object?.id });
        expect([type.name, answer.data ?? null, ...codes(answer)]).toEqual([
          type.name,
          before.data ?? null,
          ...codes(before),
        ]);
        expect(answer.data?.["node"] ?? null).toBeNull();
      }
    }
  });

  describe.each(scoped)("%s", (name, scope, field) => {
    const { ask, shows } = field;
    const [own, other] = field.isOfTest ? (["test", "live"] as const) : (["live", "test"] as const);
    beforeAll(() => renew(name));

    test("another tenant, in either environment, is shown nothing of it", async () => {
      const { owner, stranger, selo } = stage;
      for (const environment of ["live", "test"] as const) {
        const credential = await credentialOf(name, stranger, environment);
        const rows = await countRows(selo);
        const answer = await ask(stage, credential);
        expectApart(field, answer, environment);
        if (field.isOfOne) expect(await countRows(selo)).toEqual(rows);
        expect(text(answer)).not.toContain(owner.id);
        if (field.isShared) for (const word of shows(stage)) expect(text(answer)).not.toContain(word);
      }
    });

    if (field.isOfKeys || field.isOfPeople)
      test("a token, live or test, is 403, and writes nothing", async () => {
        const rows = await countRows(stage.selo);
        for (const token of [stage.owner.live, stage.owner.test]) {
          const answer = await ask(stage, token);
          expect(codes(answer)).toEqual([403, scope === "*" ? "forbidden" : "missing_scope"]);
          expectNothingOf(answer);
        }
        expect(await countRows(stage.selo)).toEqual(rows);
      });
    if (!field.isOfKeys && !(field.isOfPeople && field.isShared))
      test("the same tenant's other environment is shown nothing of it", async () => {
        const rows = await countRows(stage.selo);
        const answer = await ask(stage, await credentialOf(name, stage.owner, other));
        expectApart(field, answer, other);
        if (field.isOfOne) expect(await countRows(stage.selo)).toEqual(rows);
      });

    if (!field.isOfPeople)
      test("a token with every scope but its own is 403 missing_scope, and writes nothing", async () => {
        const token = await scopedOf(name, own, (all) => all.filter((each) => each !== scope));
        const rows = await countRows(stage.selo);
        const answer = await ask(stage, token);
        expect(codes(answer)).toEqual([403, "missing_scope"]);
        expect(answer.errors[0]?.message).toContain(scope);
        expect(answer.data?.[name] ?? null).toBeNull();
        expectNothingOf(answer);
        expect(await countRows(stage.selo)).toEqual(rows);
      });

    test("a person of the organization is shown it as the role allows, and one who left it is not; one of another is shown nothing", async () => {
      const { people, strangers } = await everybody();
      for (const { role, scopes, headers } of people) {
        const asker = field.isOfTest ? { ...headers, "x-environment": "test" } : headers;
        // What a mutation changes or removes would have to be made anew.
        if (scopes.includes(scope) && isMutation(name)) continue;
        const rows = await countRows(stage.selo);
        const answer = await ask(stage, asker);
        const expected = role === null ? [401, "unauthenticated"] : [403, "forbidden"];
        const allowed = field.refused ?? [200];
        expect([role, ...codes(answer)]).toEqual([role, ...(scopes.includes(scope) ? allowed : expected)]);
        if (scopes.includes(scope)) for (const shown of shows(stage)) expect(text(answer)).toContain(shown);
        else expectNothingOf(answer);
        expect(await countRows(stage.selo)).toEqual(rows);
      }
      for (const { scopes, headers } of strangers.filter((person) => person.scopes.includes(scope))) {
        expect(scopes).toContain(scope);
        const answer = await ask(stage, field.isOfTest ? { ...headers, "x-environment": "test" } : headers);
        expectApart(field, answer, field.isOfTest ? "test" : "live");
      }
    });

    test("its owner is shown it, by a token with its scope alone (or the rest of this matrix shows nothing)", async () => {
      const credentials = [await scopedOf(name, own, () => [scope])];
      // What a mutation changes or removes would have to be made anew.
      if (!isMutation(name)) credentials.push(await credentialOf(name, stage.owner, own));
      for (const credential of credentials) {
        const answer = await askAsOwner(name, field, credential);
        expect(codes(answer)).toEqual(field.refused ?? [200]);
        for (const shown of shows(stage)) expect(text(answer)).toContain(shown);
        if (field.isShared && !isMutation(name)) {
          const inTest = field.isOfPeople ? await ownerOf(stage.owner, "test") : stage.owner.test;
          expect(text(await ask(stage, inTest))).toBe(text(answer));
        }
      }
    });
  });

  test.each(anyones)(
    "%s answers anyone the same, with a token or without, with nothing of a tenant's that is not public",
    async (name, { ask, shows }) => {
      await renew(name);
      const { owner, stranger, selo, secrets } = stage;
      const unrelated = await stranger.token("test", ["documents:read"]);
      const rows = await countRows(selo);
      const answers = await Promise.all(
        [null, owner.live, owner.test, stranger.live, unrelated].map((token) => ask(stage, token)),
      );
      const shown = shows(stage);
      for (const answer of answers) {
        expect(codes(answer)).toEqual([200]);
        expect(text(answer)).toBe(text(answers[0] as GraphqlAnswer));
        for (const word of shown) expect(text(answer)).toContain(word);
        for (const secret of secrets.filter((word) => !shown.some((each) => each.includes(word))))
          expect(text(answer)).not.toContain(secret);
      }
      expect(await countRows(selo)).toEqual(rows);
    },
  );

  test.each(scoped)("%s: anonymous is 401 unauthenticated, and writes nothing", async (name, _scope, { ask }) => {
    const rows = await countRows(stage.selo);
    const answer = await ask(stage, null);
    expect(codes(answer)).toEqual([401, "unauthenticated"]);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.data?.[name] ?? null).toBeNull();
    expectNothingOf(answer);
    expect(await countRows(stage.selo)).toEqual(rows);
  });

  test.each(Object.entries(rootFields))(
    "%s: a token that is none is 401, also for what is public",
    async (_, { ask }) => {
      const rows = await countRows(stage.selo);
      const answer = await ask(stage, `svc_live_${"A".repeat(43)}`);
      expect(codes(answer)).toEqual([401, "unauthenticated"]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.data).toBeUndefined();
      expect(await countRows(stage.selo)).toEqual(rows);
    },
  );
}
