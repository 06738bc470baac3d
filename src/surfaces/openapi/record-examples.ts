import { type Route, routesOf, scopeOf } from "../rest/route.ts";
import type { RestSurface } from "../rest/surface.ts";
import { surfaceOf } from "../rest/surfaces.ts";
import type { ServedService } from "../served-service.ts";
import type { Caller, ExampleForm, ExampleRequest } from "./examples/example-request.ts";
import type { RecordedExample } from "./examples/recorded-example.ts";
import { examplesOf, refusals } from "./examples.ts";

/** Headers that identify each caller; each surface has its own credentials. */
export type CallerHeaders = Readonly<Record<Caller, Readonly<Record<string, string>>>>;

/** What the examples know of mails that they cause. */
export interface ExampleMails {
  /** Composes what waits, as a worker does meanwhile. Called before each example that reads. */
  readonly compose: () => Promise<void>;
  /** The one-time code in the newest test mail that has one. */
  readonly code: () => Promise<string>;
}

/** What a caller does before each of its examples. */
export type Preparations = Readonly<Partial<Record<Caller, () => Promise<void>>>>;

/** A code that is shown for the one in the mail, which is another one each time. */
const SHOWN_CODE = "482913";
const MAILED_CODE = "{mailed code}";

/** Sends every example, on the surface of its route, to a gateway whose database contains only these callers. */
export async function recordExamples(
  services: readonly ServedService[],
  baseUrl: string,
  callers: ReadonlyMap<RestSurface, CallerHeaders>,
  mails: ExampleMails | null = null,
  prepare: Preparations = {},
): Promise<RecordedExample[]> {
  const routes = routesOf(services);
  const recorded: RecordedExample[] = [];
  for (const example of withRefusals(routes, await examplesOf(services))) {
    const route = routeOf(routes, example);
    const filled = (text: string) =>
      text.replaceAll(/\{(\w+\.\w+)\.([\w.]+)(#?)\}/g, (_, name: string, member: string, fragment: string) => {
        const value = memberOf(recorded, name, member);
        return fragment === "" ? value : value.slice(value.indexOf("#") + 1);
      });
    const path = filled(example.path ?? route.path);
    const withCode = (code: string) =>
      typeof example.body === "object"
        ? { ...example, body: JSON.parse(filled(JSON.stringify(example.body)).replaceAll(MAILED_CODE, code)) }
        : example;
    const given = withCode(SHOWN_CODE);
    const surface = surfaceOf(route);
    if (route.method === "GET") await mails?.compose();
    await prepare[example.caller]?.();
    const asksForCode = mails !== null && JSON.stringify(example.body ?? null).includes(MAILED_CODE);
    const response = await fetch(`${baseUrl}${surface.prefix}${path}`, {
      method: route.method,
      headers: {
        ...callers.get(surface)?.[example.caller],
        // The recorded example keeps the placeholders: a header may be a secret.
        ...(JSON.parse(filled(JSON.stringify(headersOf(example)))) as Record<string, string>),
      },
      ...bodyOf(asksForCode ? withCode(await mails.code()) : given),
    });
    const contentType = (response.headers.get("content-type") ?? "").replace(/;.*$/, "");
    recorded.push({
      ...given,
      surface,
      step: recorded.filter((earlier) => earlier.surface === surface).length + 1,
      method: route.method,
      path,
      status: response.status,
      contentType,
      responseHeaders: response.headers,
      answer: await shownAnswer(response, contentType),
    });
  }
  return recorded;
}

/** The signatures of the files that are answered: PDF 1.7, ZIP. */
const FILE_BEGINNINGS = ["%PDF-1.7", "PK\u0003\u0004"];

/** The answer as an example shows it: JSON, a text such as a zone file, or how another file begins. */
async function shownAnswer(response: Response, contentType: string): Promise<unknown> {
  if (contentType === "application/json") return await response.json();
  if (contentType.startsWith("text/")) return await response.text();
  const bytes = Buffer.from(await response.arrayBuffer());
  return FILE_BEGINNINGS.find((beginning) => bytes.toString("latin1").startsWith(beginning));
}

/** The examples in order, each operation's refusals after its own examples. */
function withRefusals(routes: readonly Route[], examples: readonly ExampleRequest[]): ExampleRequest[] {
  return [...Map.groupBy(examples, ({ operation }) => operation).values()].flatMap((own) => {
    const [first] = own as [ExampleRequest];
    const route = routeOf(routes, first);
    return [...own, ...refusals(first, scopeOf(route), surfaceOf(route).credentials)];
  });
}

function routeOf(routes: readonly Route[], example: ExampleRequest): Route {
  const route = routes.find(({ operation }) => operation === example.operation);
  if (route === undefined) throw new Error(`there is no operation ${example.operation}`);
  return route;
}

function memberOf(recorded: readonly RecordedExample[], name: string, member: string): string {
  const earlier = recorded.find(({ operation, name: example }) => `${operation}.${example}` === name);
  const value = member
    .split(".")
    .reduce<unknown>(
      (within, step) => (within as Readonly<Record<string, unknown>> | undefined)?.[step],
      earlier?.answer,
    );
  if (typeof value !== "string" && typeof value !== "number")
    throw new Error(`no earlier example ${name} was answered with ${member}`);
  return String(value);
}

function headersOf({ headers, body }: ExampleRequest): Record<string, string> {
  return { ...(typeof body === "object" ? { "Content-Type": "application/json" } : {}), ...headers };
}

function bodyOf({ body, form }: ExampleRequest): { readonly body?: string | FormData } {
  if (form !== undefined) return { body: formData(form) };
  if (body === undefined) return {};
  return { body: typeof body === "string" ? body : JSON.stringify(body) };
}

function formData({ file, fields }: ExampleForm): FormData {
  const form = new FormData();
  if (file !== undefined) form.append("file", new Blob([file.text]), file.name);
  for (const [name, value] of Object.entries(fields ?? {})) form.append(name, value);
  return form;
}
