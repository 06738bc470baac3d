// What shared tests ask of every service. They name none: each service says it of itself, in `test/services/<service>/facts.ts`.
import type pg from "pg";
import { services } from "../../src/services/services.ts";
import type { RestSurface } from "../../src/surfaces/rest/surface.ts";
import type { Language, States } from "../system/screens/state.ts";
import type { TestGateway, TestOrganization } from "./gateway.ts";
import type { ServiceIsolation } from "./isolation/isolation.ts";
import type { RestResponse } from "./rest-client.ts";

/** The facts of one service. A fact that a shared test misses makes that test fail. */
export interface ServiceFacts {
  /** Rows of its tables and views. */
  readonly rows: () => Promise<ServiceRows>;
  /** A request for each of its paths and fields, and who is shown what it answers. */
  readonly isolation: () => Promise<ServiceIsolation>;
  /** Its documented REST surfaces beside the main one. */
  readonly surfaces?: readonly SurfaceFacts[];
  /** Its other surfaces, which have their own forms and no document. */
  readonly undocumentedSurfaces?: readonly RestSurface[];
  /** Its operations, by name, where they differ from others. */
  readonly operations?: Readonly<Record<string, OperationFacts>>;
  /** Asks its operations for what they refuse for the state of rows, each once. */
  readonly refusals?: (selo: TestGateway, organization: TestOrganization, ask: AskOperation) => Promise<void>;
  /** What another surface does before the first example of an operation, by its name. The token is that of the examples in test. */
  readonly beforeExamples?: Readonly<Record<string, (selo: TestGateway, token: string) => Promise<void>>>;
  /** Limited members of its commands that have neither a path of `surfaces` nor a field, as `command.member`. */
  readonly withoutPath?: readonly string[];
  /** Writes what the first requests of an organization write, whatever becomes of the requests. */
  readonly writeFirst?: (selo: TestGateway, organization: TestOrganization) => Promise<void>;
  /** Each of its settings, by variable. */
  readonly settings?: Readonly<Record<string, SettingFacts>>;
  /** Variables that its requests need where a whole deployment is on stage. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly events?: EventFacts;
  /** A mail of each kind and each of its forms, by the name of the form. */
  readonly mails?: Readonly<Record<string, SampleMail>>;
  /** What it prints, by name. */
  readonly papers?: () => Promise<Readonly<Record<string, Paper>>>;
  /** Pages of the site that are its own, in each state. Pages that it serves itself: test/system/<service>/screens. */
  readonly siteStates?: States;
  readonly audit?: AuditFacts;
  readonly graphql?: GraphqlFacts;
  readonly partitions?: PartitionFacts;
}

/** Asks an operation, by its name, as the organization. */
export type AskOperation = (operation: string, path: string, body?: object) => Promise<RestResponse>;

export interface ServiceRows {
  /** A row in every table of the service that holds rows of organizations; absent where each new organization has them. */
  readonly writeOne?: (selo: TestGateway, organization: TestOrganization) => Promise<void>;
  /** Many rows of an organization in every table that a view reads, all with the same values but for keys. */
  readonly writeMany: (admin: pg.Pool, tenantId: string, count: number, text: "own" | "other") => Promise<void>;
}

/** A surface that takes no tokens. */
export interface SurfaceFacts {
  readonly surface: RestSurface;
  /** Headers with a good credential of an organization. */
  readonly credentials: (
    selo: TestGateway,
    organization: TestOrganization,
  ) => Promise<Readonly<Record<string, string>>>;
  /** The code of the 404 that answers a wrong value in any of its paths, in place of 422. */
  readonly wrongValue?: string;
}

export interface OperationFacts {
  /** A right body of a path whose parameters find nothing; none by default. */
  readonly body?: object;
  /** Values of members whose rule is more than what their schema says: some that are taken, and some that are refused, the most telling first. */
  readonly rules?: Readonly<Record<string, MemberRule>>;
  /** The code of the 404 that answers a wrong value in its path, in place of 422. */
  readonly wrongValue?: string;
  /** It has one answer, 202, so that it tells nobody what exists. */
  readonly answersAlways?: true;
  /** A right request ends the credential that asks, and so the other requests of a test: its own tests send right ones. */
  readonly endsCredential?: true;
  /** A body with a text deep inside, written as JSON, and the place of the text by which errors name it. */
  readonly deepText?: { readonly body: (json: string) => string; readonly field: string };
}

/** The member `body` has beside it is right for each value that is taken. */
export interface MemberRule {
  readonly at: readonly unknown[];
  readonly beyond: readonly unknown[];
}

export interface SettingFacts {
  /** What the guide's table says of a setting that has no default; `none` unless given. */
  readonly otherwise?: string;
  /** What the table says behind the default. */
  readonly more?: string;
  /** Texts of the variable, and what becomes of each. */
  readonly taken?: readonly (readonly [text: string, value: unknown])[];
  /** Texts that stop the start, each with what the message says of it where it says more than the variable's name. */
  readonly refused?: readonly (readonly [text: string, says?: string])[];
  /** A text that is for development alone. */
  readonly neverInProduction?: string;
}

export interface EventFacts {
  /** The kinds of events that it sends. */
  readonly sent: readonly string[];
  /** Kinds that nothing sends yet. */
  readonly later?: readonly string[];
  /** Data that the kinds of a subject take, by the first word of their names. */
  readonly data?: Readonly<Record<string, object>>;
}

/** A mail as SQL hands it to the worker. */
export interface SampleMail {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly environment?: "live" | "test";
  /** What the kind prepares before it is composed. */
  readonly prepared?: object;
  /** The path to which its button leads, where that is no heading of a guide; null without a button. */
  readonly button?: string | null;
  /** Why one gets it, in the words before what becomes of replies, where one does not get it as the contact of the organization or as a participant. */
  readonly reason?: Readonly<Record<Language, string>>;
  /** The mockup beside its pictures, where it has its own. */
  readonly mockup?: string;
}

/** A PDF of one sheet. */
export interface Paper {
  readonly print: (language: Language) => Promise<Buffer>;
  /** The mockup beside its pictures. */
  readonly mockup: string;
}

/** What the tests of the audit need of a service's tables. */
export interface AuditFacts {
  /** Writes something of everything that the audit covers. */
  readonly write: (selo: TestGateway, organization: TestOrganization) => Promise<void>;
  /** Statements with which a superuser takes away what the service's tables would refuse, beside check constraints. */
  readonly unbound?: readonly string[];
  /** By table: conditions of the rows that are edited, one after the other; the first row of all unless given. */
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  /** By column: what it is set to, in SQL, where an edit of its type does not serve. */
  readonly edits?: Readonly<Record<string, string>>;
  /** Columns of personal data that anybody may see erased. */
  readonly erased?: readonly string[];
}

/** Its tables with a partition for each day, all of which are made together. */
export interface PartitionFacts {
  /** A statement that adds the partitions of the day that is $1 days from today. */
  readonly addDay: string;
  /** By table: columns of which it keeps no statistics, in the table's order. */
  readonly uncounted: Readonly<Record<string, readonly string[]>>;
}

/** Its part of the schema of GraphQL. */
export interface GraphqlFacts {
  /** Root fields. */
  readonly queries: readonly string[];
  readonly mutations: readonly string[];
  /** The field of a list of REST, by the operation, where its name is not the operation's without its verb. */
  readonly lists?: Readonly<Record<string, string>>;
  /** Parameters of lists of REST that no field has, as `operation.parameter`, each with the reason. */
  readonly unfiltered?: Readonly<Record<string, string>>;
  /** Mutations that are named with a verb of reading. */
  readonly verbs?: readonly string[];
  /** Fields of JSON, as `Type.field`: what is signed or hashed, has no one form, or is a list of measures. */
  readonly json: readonly string[];
  /** The types of its views of schema api. */
  readonly types: Readonly<Record<string, string>>;
  /** Views that no type shows, and columns of views that no field shows, as `view.column`. */
  readonly hidden?: readonly string[];
  /** Lists that may be null, as `Type.field`. */
  readonly nullLists?: readonly string[];
  /** The values of some of its enums, in the order of their names. */
  readonly enums?: Readonly<Record<string, readonly string[]>>;
  /** Types of members of inputs that are enums. */
  readonly enumInputs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Those of the product's services, in the order of the list of services. */
export const productFacts: readonly ServiceFacts[] = await Promise.all(
  services.map(async ({ name }) => {
    const { facts } = (await import(`../services/${name}/facts.ts`)) as { readonly facts: ServiceFacts };
    return facts;
  }),
);

/** The facts of operations of all services, by name. */
export const operationFacts: Readonly<Record<string, OperationFacts>> = Object.assign(
  {},
  ...productFacts.map(({ operations }) => operations),
);

/** How the product's services show that what they keep is kept apart. */
export const productIsolations = (): Promise<readonly ServiceIsolation[]> =>
  Promise.all(productFacts.map(({ isolation }) => isolation()));

/** The kinds of events of all services, in the order of their names. */
export const eventKinds = {
  sent: productFacts.flatMap(({ events }) => events?.sent ?? []).sort(),
  later: productFacts.flatMap(({ events }) => events?.later ?? []).sort(),
};
