import { randomBytes } from "node:crypto";
import type { Service } from "../../../src/services/service.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../gateway.ts";
import type { Asker, GraphqlAnswer } from "../graphql-client.ts";

/** Who is asked, who owns what is asked for, and who may not see it. */
export interface Stage {
  readonly selo: TestGateway;
  readonly owner: TestOrganization;
  readonly stranger: TestOrganization;
  /** Stands in texts of the owner's, and nowhere else. */
  readonly marker: string;
}

/** How a route is asked for what the owner has. */
export interface Asked {
  readonly path: string;
  readonly body?: object;
  /** In place of a body of JSON. */
  readonly form?: FormData;
  /** What its answer shows the owner. */
  readonly shows: readonly string[];
  /** Status of the owner's answer, where it is not the route's own. */
  readonly status?: number;
  /** It belongs to the organization and not to one environment: both are shown the same. */
  readonly isShared?: true;
  /** It exists in the test environment only: live tokens get 403 forbidden. */
  readonly isOfTest?: true;
  /** Further paths of another organization's that lead to what the owner has: below something of its own. */
  readonly othersPaths?: readonly string[];
}

/** How a root field is asked for what the owner has. */
export interface RootField {
  /** Null: anyone may ask, with any token or none, and all get the same. */
  readonly scope: string | null;
  readonly ask: (stage: Stage, token: Asker) => Promise<GraphqlAnswer>;
  /** What its answer shows the owner, or anyone. */
  readonly shows: (stage: Stage) => readonly string[];
  /** Changes the one thing that its argument names: of another's there is none, which is 404. */
  readonly isOfOne?: true;
  /** Is about the person who asks: everybody is answered alike. */
  readonly isOfSelf?: true;
  /** Refused to the owner, too, as the state of what it has is; `shows` stands in the message. */
  readonly refused?: readonly [status: number, code: string];
  /** Belongs to the organization, not to one environment of it: both are shown the same. */
  readonly isShared?: true;
  /** Exists in the test environment only: live tokens get 403 forbidden. */
  readonly isOfTest?: true;
  /** Its scope is held by keys alone, which the service's `key` makes: tokens get 403 missing_scope. */
  readonly isOfKeys?: true;
  /** Its scope is held by people alone, or is `*`, which everybody holds who is signed in: tokens get 403. */
  readonly isOfPeople?: true;
  /** Exists in live only, and people hold its scope in live alone: in test they get 403 forbidden. */
  readonly isOfLive?: true;
}

/** A session of a person. */
export interface SignedIn {
  /** Null: the membership has ended. */
  readonly role: string | null;
  /** What the role may do. */
  readonly scopes: readonly string[];
  /** Headers of a request by the session. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How the tests of a service show that what it keeps is kept apart. A route, a root field or a table without an entry fails them. */
export interface ServiceIsolation {
  /** Gives the owner something in live, or in test where live has no such thing. Answers the words of it that nobody else may be shown. */
  readonly prepare: (stage: Stage) => Promise<readonly string[]>;
  /** By method and path of each route of the main surface. */
  readonly rest: Readonly<Record<string, (stage: Stage) => Asked | Promise<Asked>>>;
  /** By method and path, with its prefix, of each route of surfaces whose paths hold the number of an organization, which stays in braces. */
  readonly keyed?: Readonly<Record<string, (stage: Stage) => Asked | Promise<Asked>>>;
  /** A key of an organization, for root fields whose scopes keys alone hold. It has all scopes unless some are given. */
  readonly key?: (stage: Stage, organization: TestOrganization, scopes?: readonly string[]) => Promise<string>;
  readonly graphql: Readonly<Record<string, RootField>>;
  /** Signs a person in to an organization, once in each role, and once as somebody whose membership ended since. */
  readonly people?: (stage: Stage, organization: TestOrganization) => Promise<readonly SignedIn[]>;
  /** Makes anew what questions of GraphQL may change or remove. Done before a root field's questions, if the owner was answered a mutation since. */
  readonly renew?: (stage: Stage) => Promise<void>;
  /** Words of what `renew` made, which nobody else may be shown either. */
  readonly secretsNow?: () => readonly string[];
}

/** Services whose matrix is tested elsewhere. */
export interface Others {
  readonly services: readonly Service[];
  readonly isolations: readonly ServiceIsolation[];
}

/** Opens a stage, with what the services give the owner. */
export async function openStage(
  isolations: readonly ServiceIsolation[],
  services?: readonly Service[],
): Promise<Stage & { readonly secrets: readonly string[] }> {
  const selo = await startTestGateway({}, services === undefined ? {} : { services });
  const owner = withSharedTokens(await selo.newOrganization({ name: "Owner", plan: "growth" }));
  const stranger = await selo.newOrganization({ name: "Stranger" });
  const marker = `only the owner's ${randomBytes(6).toString("hex")}`;
  const stage = { selo, owner, stranger, marker };
  const secrets: string[] = [marker];
  for (const { prepare } of isolations) secrets.push(...(await prepare(stage)));
  await selo.seal();
  return { ...stage, secrets };
}

/** An organization that makes one token of the same scopes, however often it is asked for. */
function withSharedTokens(organization: TestOrganization): TestOrganization {
  const made = new Map<string, Promise<string>>();
  return {
    ...organization,
    token: (environment, scopes) => {
      const name = [environment, ...scopes].join(" ");
      const token = made.get(name) ?? organization.token(environment, scopes);
      made.set(name, token);
      return token;
    },
  };
}
