import { escapeHtml } from "../../http/escape-html.ts";
import { type Content, type DescribedApi, type MediaType, type PlacedOperation, resolved } from "./described-api.ts";

/** A longer text in the example of an answer, such as a signature, is shortened. */
const LONGEST_TEXT = 160;

/** A request of the example that can be repeated: its path with parameters, and its body. */
export interface SampleRequest {
  readonly path: string;
  readonly mediaType: string | null;
  readonly value: unknown;
}

/** The successful answer that the first example shows. */
export function answerOf({ operation }: PlacedOperation): Content {
  const [, success] = Object.entries(operation.responses ?? {}).find(([status]) => /^2/.test(status)) ?? [];
  return success?.content ?? {};
}

/** The request of the first example; without an example, the path with the names of its parameters. */
export function sampleRequest(placed: PlacedOperation): SampleRequest {
  const [answer] = Object.values(answerOf(placed)).flatMap(({ examples = {} }) => Object.values(examples));
  const [[mediaType, body] = [null, undefined]] = Object.entries(placed.operation.requestBody?.content ?? {}) as [
    string,
    MediaType,
  ][];
  const [example] = Object.values(body?.examples ?? {});
  return {
    path: answer?.["x-request"]?.path ?? placed.path,
    mediaType,
    value: example?.value ?? {},
  };
}

export interface FormMember {
  readonly name: string;
  readonly isFile: boolean;
}

/** The members of the form that an operation takes. */
export function formMembers(api: DescribedApi, { operation }: PlacedOperation): readonly FormMember[] {
  const schema = operation.requestBody?.content["multipart/form-data"]?.schema ?? {};
  const { properties = {} } = resolved<typeof schema>(api, schema);
  return Object.entries(properties).map(([name, { format }]) => ({ name, isFile: format === "binary" }));
}

/** The request as a command that can be pasted into a shell. */
export function curl(api: DescribedApi, base: string, placed: PlacedOperation): string {
  const { path, mediaType, value } = sampleRequest(placed);
  const [answerType = "application/json"] = Object.keys(answerOf(placed));
  const files = formMembers(api, placed).flatMap(({ name, isFile }) => (isFile ? [name] : []));
  const flags = answerType === "text/event-stream" ? "-sSN" : "-sS";
  const parts = [
    `curl ${flags}${placed.method === "GET" ? "" : ` -X ${placed.method}`} ${quoted(`${base}${path}`)}`,
    ...(placed.operation.security?.length === 0 ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...bodyParts(mediaType, value, files),
    ...(/json|event-stream/.test(answerType) ? [] : ["-OJ"]),
  ];
  return parts.join(" \\\n  ");
}

function bodyParts(mediaType: string | null, value: unknown, files: readonly string[]): string[] {
  if (mediaType === null) return [];
  if (mediaType !== "multipart/form-data")
    return [`-H ${quoted(`Content-Type: ${mediaType}`)}`, `-d ${quoted(pretty(value))}`];
  return Object.entries(value as object).map(([name, text]) =>
    files.includes(name) ? `-F ${name}=@contract.pdf` : `-F ${quoted(`${name}=${text}`)}`,
  );
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function pretty(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** JSON in which long texts are shortened: for reading, never for sending. */
export function shortened(value: unknown): string {
  return pretty(
    JSON.parse(
      JSON.stringify(value ?? null, (_key, member: unknown) =>
        typeof member === "string" && member.length > LONGEST_TEXT && !member.includes(" ")
          ? `${member.slice(0, 40)}… (${member.length} characters)`
          : member,
      ),
    ),
  );
}

/** A block of code with its caption and a button that copies it; the button works with the page's script only. */
export function sample(caption: string, text: string): string {
  return `<figure class="sample"><figcaption>${caption}<button class="button slim" type="button" data-copy>Copy</button></figcaption><pre tabindex="0" aria-label="${escapeHtml(caption.replaceAll(/<[^>]+>/g, ""))}"><code>${escapeHtml(text)}</code></pre></figure>`;
}
