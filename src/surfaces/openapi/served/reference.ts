import { escapeHtml } from "../../http/escape-html.ts";
import { type DescribedApi, operationsOf, type PlacedOperation } from "./described-api.ts";
import { eventSection, method, type OperationContext, operationId, operationSection } from "./operation-section.ts";
import { namedList, schemaBody, schemaId } from "./schema-members.ts";
import { prose, slug } from "./text.ts";

/** A document with the addresses that its pages need. */
export interface ReferenceSource {
  readonly api: DescribedApi;
  readonly title: string;
  /** The path of its first page. */
  readonly path: string;
  /** The path of the document itself. */
  readonly documentPath: string;
  /** The public address of this deployment, which examples name. */
  readonly publicUrl: string;
}

export interface ReferencePage {
  readonly path: string;
  readonly title: string;
  /** The links beside it. */
  readonly navigation: string;
  readonly main: string;
}

/** Operations of a tag, on their own page. */
interface Group {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/**
 * The pages of an API description: an overview, one page for each tag, one for its events, and one for its schemas.
 * @param all every document that is shown, to choose from
 */
export function referencePages(
  source: ReferenceSource,
  all: readonly Pick<ReferenceSource, "title" | "path">[] = [source],
): readonly ReferencePage[] {
  const { api, path, publicUrl, title } = source;
  const schemasPath = `${path}/schemas`;
  const context: OperationContext = { api, schemasPath, base: `${publicUrl}${api.servers?.[0]?.url ?? ""}` };
  const groups = groupsOf(source);
  const events = Object.entries(api.webhooks ?? {});
  const pages = [
    { path, title: "Overview", main: overview(source, context, groups) },
    ...groups.map((group) => ({ path: group.path, title: group.name, main: groupPage(context, group) })),
    ...(events.length === 0
      ? []
      : [{ path: `${path}/event-kinds`, title: "Kinds of events", main: eventsPage(context) }]),
    { path: schemasPath, title: "Schemas", main: schemasPage(context) },
  ];
  return pages.map((page) => ({
    ...page,
    title: `${page.title} · ${title} API`,
    navigation: navigation(source, all, pages, page.path, groups),
  }));
}

function groupsOf({ api, path }: ReferenceSource): readonly Group[] {
  const operations = operationsOf(api);
  const described = new Map((api.tags ?? []).map(({ name, description = "" }) => [name, description]));
  for (const { operation } of operations) {
    const [tag = "Other"] = operation.tags ?? [];
    if (!described.has(tag)) described.set(tag, "");
  }
  return [...described]
    .map(([name, description]) => ({
      name,
      path: `${path}/${slug(name)}`,
      description,
      operations: operations.filter(({ operation }) => (operation.tags?.[0] ?? "Other") === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function operationLink(group: Group, placed: PlacedOperation): string {
  const { summary } = placed.operation;
  return `<a href="${group.path}#${operationId(placed)}">${escapeHtml(summary ?? placed.path)}</a>`;
}

function overview(
  { api, title, documentPath }: ReferenceSource,
  { base }: OperationContext,
  groups: readonly Group[],
): string {
  const lists = groups.map(
    (group) => `<section class="operations"><h3><a href="${group.path}">${escapeHtml(group.name)}</a></h3>
<ul class="rows">${group.operations
      .map(
        (placed) =>
          `<li>${method(placed.method)}<span>${operationLink(group, placed)} <code>${escapeHtml(placed.path)}</code></span></li>`,
      )
      .join("")}</ul></section>`,
  );
  const [lead = "", ...sections] = (api.info.description ?? "").split(/^(?=## )/m);
  return `<h1>${escapeHtml(title)} API</h1>
<div class="lead">${prose(lead)}</div>
<p class="small quiet">Version ${escapeHtml(api.info.version)} · <code>${escapeHtml(base)}</code> · <a href="${documentPath}">OpenAPI document</a></p>
<h2 id="operations">Operations</h2>
<div class="groups">${lists.join("\n")}</div>
<h2 id="examples">Examples</h2>
<p>Each operation has a command to copy into a shell. ${readFrom(api)} Ids, codes and <code>contract.pdf</code> stand for yours.</p>
${prose(sections.join(""))}
${Object.values(api.components?.securitySchemes ?? {})
  .map(({ name, description }) =>
    description === undefined
      ? ""
      : `<h2 id="credentials">Credentials</h2>${name === undefined ? "" : `<p><code>${escapeHtml(name)}</code></p>`}${prose(description)}`,
  )
  .join("")}`;
}

/** Where the commands have the credential from: `samples.ts` writes them. */
function readFrom({ components }: ReferenceSource["api"]): string {
  const [header] = Object.values(components?.securitySchemes ?? {}).flatMap(({ name }) => name ?? []);
  return header === undefined
    ? "It reads your token from <code>TOKEN</code>: run <code>TOKEN=svc_test_…</code> first."
    : `It reads <code>${escapeHtml(header)}</code> from <code>SECRET</code>: run <code>SECRET=…</code> first.`;
}

function groupPage(context: OperationContext, { name, description, operations }: Group): string {
  return `<h1>${escapeHtml(name)}</h1>${prose(description)}${operations
    .map((placed) => operationSection(context, placed))
    .join("\n")}`;
}

function eventsPage(context: OperationContext): string {
  const sections = Object.entries(context.api.webhooks ?? {}).flatMap(([name, item]) =>
    Object.entries(item).map(([sent, operation]) =>
      eventSection(context, name, { path: name, method: sent.toUpperCase(), operation }),
    ),
  );
  return `<h1>Kinds of events</h1>${sections.join("\n")}`;
}

function schemasPage(context: OperationContext): string {
  const { schemas = {}, headers = {} } = context.api.components ?? {};
  const sections = Object.entries(schemas).map(
    ([name, schema]) =>
      `<section class="operation" id="${schemaId(name)}"><h2>${escapeHtml(name)}</h2>${prose(schema.description)}${schemaBody(context, schema)}</section>`,
  );
  const shownHeaders = Object.entries(headers).map(
    ([name, { description, schema }]) =>
      `<div id="header-${escapeHtml(name)}">${namedList(context, [{ name, description, schema }])}</div>`,
  );
  return `<h1>Schemas</h1>${sections.join("\n")}${shownHeaders.length === 0 ? "" : `<section class="operation" id="headers"><h2>Headers</h2>${shownHeaders.join("")}</section>`}`;
}

function navigation(
  source: ReferenceSource,
  all: readonly Pick<ReferenceSource, "title" | "path">[],
  pages: readonly Pick<ReferencePage, "path" | "title">[],
  current: string,
  groups: readonly Group[],
): string {
  const link = (path: string, title: string, inside = "") =>
    `<li><a href="${path}"${path === current ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a>${inside}</li>`;
  const own = pages.map(({ path, title }) => {
    const group = groups.find((each) => each.path === path);
    return link(path, title, group === undefined || path !== current ? "" : operationLinks(group));
  });
  const others = all.map(
    ({ path, title }) =>
      `<li><a href="${path}"${path === source.path ? ' aria-current="true"' : ""}>${escapeHtml(title)}</a></li>`,
  );
  return `${all.length === 1 ? "" : `<h2>APIs</h2><ul>${others.join("")}</ul>`}<h2>REST</h2><ul>${own.join("")}</ul><h2>GraphQL</h2><ul><li><a href="/graphiql">GraphiQL</a></li></ul>`;
}

function operationLinks(group: Group): string {
  return `<ul class="nested">${group.operations.map((placed) => `<li>${operationLink(group, placed)}</li>`).join("")}</ul>`;
}
