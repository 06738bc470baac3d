import { escapeHtml } from "../../http/escape-html.ts";
import {
  type Content,
  type DescribedOperation,
  type Header,
  nameOf,
  type Parameter,
  type PlacedOperation,
  type Reference,
  type Response,
  resolved,
} from "./described-api.ts";
import { answerOf, curl, type FormMember, formMembers, pretty, sample, sampleRequest, shortened } from "./samples.ts";
import { namedList, type SchemaContext, schemaBody } from "./schema-members.ts";
import { prose, slug, words } from "./text.ts";

/** What operations are rendered with. */
export interface OperationContext extends SchemaContext {
  /** The address of the API, with its prefix; examples name it. */
  readonly base: string;
}

/** The id of an operation on its page. */
export function operationId({ method, path, operation }: PlacedOperation): string {
  return operation.operationId ?? slug(`${method} ${path}`);
}

export function method(name: string): string {
  return `<span class="method ${name.toLowerCase()}">${name}</span>`;
}

/** An operation in full: what it does, its request, its answers, and a form that sends it. */
export function operationSection(context: OperationContext, placed: PlacedOperation): string {
  const { operation, path } = placed;
  const id = operationId(placed);
  const parameters = (operation.parameters ?? []).map((each) => resolved<Parameter>(context.api, each));
  // The example of a new resource says most.
  const successes = Object.keys(operation.responses ?? {}).filter((status) => status.startsWith("2"));
  const firstSuccess = successes.includes("201") ? "201" : successes[0];
  const parts = [
    `<h2>${escapeHtml(operation.summary ?? path)} <a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(operation.summary ?? path)}">#</a></h2>`,
    `<p class="address">${method(placed.method)} <code>${escapeHtml(path)}</code></p>`,
    prose(operation.description),
    ...parameterLists(context, parameters),
    ...Object.entries(operation.requestBody?.content ?? {}).map(
      ([type, { schema = {} }]) => `<h3>Body <code>${escapeHtml(type)}</code></h3>${schemaBody(context, schema)}`,
    ),
    sample("Example", curl(context.api, context.base, placed)),
    "text/event-stream" in answerOf(placed) ? "" : tryForm(context, placed, parameters),
    `<h3>Answers</h3>`,
    ...Object.entries(operation.responses ?? {}).map(([status, response]) =>
      answer(
        context,
        status,
        ofOperation(resolved<Response>(context.api, response), operation),
        status === firstSuccess,
      ),
    ),
  ];
  return `<section class="operation" id="${id}">${parts.join("\n")}</section>`;
}

const PLACES = [
  ["path", "In the path"],
  ["query", "In the query"],
  ["header", "Headers"],
] as const;

function parameterLists(context: SchemaContext, parameters: readonly Parameter[]): string[] {
  return PLACES.flatMap(([place, title]) => {
    const those = parameters.filter((each) => each.in === place);
    return those.length === 0 ? [] : [`<h3>${title}</h3>${namedList(context, those)}`];
  });
}

/** The payload of an event: its headers, its members, and an example. */
export function eventSection(context: SchemaContext, name: string, { operation }: PlacedOperation): string {
  const examples = Object.values(operation.requestBody?.content ?? {}).flatMap((body) => [
    schemaBody(context, body.schema ?? {}),
    ...samplesOf({ "": body }),
  ]);
  return `<section class="operation" id="${slug(name)}"><h2><code>${escapeHtml(name)}</code></h2>${prose(operation.description)}${examples.join("\n")}</section>`;
}

/** An answer with the examples of this operation. If operations share it and none is of this one, the first stands for all. */
function ofOperation(response: Response, { operationId: id }: DescribedOperation): Response {
  const content = Object.entries(response.content ?? {}).map(([type, media]) => {
    const all = Object.entries(media.examples ?? {});
    const own = all.filter(([, example]) => (example["x-request"]?.operation ?? id) === id);
    return [type, { ...media, examples: Object.fromEntries(own.length > 0 ? own : all.slice(0, 1)) }] as const;
  });
  return { ...response, content: Object.fromEntries(content) };
}

/** An answer with its examples and members. */
function answer(context: SchemaContext, status: string, response: Response, isOpen: boolean): string {
  const [content] = Object.values(response.content ?? {});
  const tone = status.startsWith("2") ? "ok" : "bad";
  const inside = [
    ...samplesOf(response.content ?? {}),
    content?.schema === undefined
      ? "<p>No body.</p>"
      : `<details><summary>Members</summary>${schemaBody({ ...context, marksRequired: false }, content.schema)}</details>`,
    headerLine(context, response.headers ?? {}),
  ];
  const [first = "", ...more] = response.description.split(/\n\n+/);
  return `<details class="answer"${isOpen ? " open" : ""}><summary><span class="tag ${tone}">${escapeHtml(status)}</span> <span>${words(first)}</span></summary><div class="stack">${prose(more.join("\n\n"))}${inside.join("\n")}</div></details>`;
}

function headerLine({ schemasPath }: SchemaContext, headers: Readonly<Record<string, Header | Reference>>): string {
  const names = Object.entries(headers).map(([name, header]) =>
    "$ref" in header
      ? `<a href="${schemasPath}#header-${escapeHtml(nameOf(header.$ref))}">${escapeHtml(name)}</a>`
      : escapeHtml(name),
  );
  return names.length === 0 ? "" : `<p class="small quiet">Headers: ${names.join(", ")}</p>`;
}

function samplesOf(content: Content): string[] {
  return Object.values(content).flatMap(({ examples = {} }) =>
    Object.values(examples).map(({ summary = "Example", value }) => sample(words(summary), shortened(value))),
  );
}

/** A form that sends the request from the page. It needs the page's script, which also shows it. */
function tryForm(context: OperationContext, placed: PlacedOperation, parameters: readonly Parameter[]): string {
  const { api, base } = context;
  const { mediaType, value } = sampleRequest(placed);
  const id = operationId(placed);
  const fields = [
    ...(placed.operation.security?.length === 0
      ? []
      : [field(`${id}-token`, "Token", `data-token autocomplete="off" spellcheck="false" placeholder="svc_test_…"`)]),
    ...parameters
      .filter((each) => each.in !== "cookie")
      .map((each) =>
        field(
          `${id}-${each.in}-${each.name}`,
          each.name,
          `data-in="${each.in}" name="${escapeHtml(each.name)}" autocomplete="off"${each.required === true ? " required" : ""}`,
        ),
      ),
    ...bodyFields(id, mediaType, value, formMembers(api, placed)),
  ];
  const { pathname } = new URL(base, "http://localhost");
  return `<details class="try"><summary>Try it</summary><form class="stack" data-method="${placed.method}" data-path="${escapeHtml(`${pathname}${placed.path}`)}"${mediaType === null ? "" : ` data-type="${escapeHtml(mediaType)}"`}>${fields.join("")}<p class="row"><button class="button main" type="submit">Send</button></p><div class="stack" data-answer aria-live="polite"></div></form></details>`;
}

function bodyFields(id: string, mediaType: string | null, value: unknown, members: readonly FormMember[]): string[] {
  if (mediaType === null) return [];
  if (mediaType !== "multipart/form-data")
    return [
      `<div class="input"><label for="${id}-body">Body</label><textarea id="${id}-body" data-body rows="8" spellcheck="false">${escapeHtml(pretty(value))}</textarea></div>`,
    ];
  const given = value as Readonly<Record<string, unknown>>;
  return members.map(({ name, isFile }) =>
    field(
      `${id}-form-${name}`,
      name,
      `data-in="form" name="${escapeHtml(name)}" ${isFile ? `type="file" required` : `value="${escapeHtml(String(given[name] ?? ""))}"`}`,
    ),
  );
}

function field(id: string, label: string, attributes: string): string {
  return `<div class="input"><label for="${escapeHtml(id)}">${escapeHtml(label)}</label><input id="${escapeHtml(id)}" ${attributes}></div>`;
}
