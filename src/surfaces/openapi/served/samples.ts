import { escapeHtml } from "../../http/escape-html.ts";
import {
  type Content,
  type DescribedApi,
  type MediaType,
  operationsOf,
  type PlacedOperation,
  resolved,
} from "./described-api.ts";

/** A longer text in the example of an answer, such as a signature, is shortened. */
const LONGEST_TEXT = 160;

/** The body of the example's request. */
export interface SampleRequest {
  readonly mediaType: string | null;
  readonly value: unknown;
}

/** The successful answer that the first example shows. */
export function answerOf({ operation }: PlacedOperation): Content {
  const [, success] = Object.entries(operation.responses ?? {}).find(([status]) => /^2/.test(status)) ?? [];
  // Only errors are references.
  return success === undefined || "$ref" in success ? {} : (success.content ?? {});
}

/** The path of the first example, with its parameters. */
function examplePath(placed: PlacedOperation): string | undefined {
  const [answer] = Object.values(answerOf(placed)).flatMap(({ examples = {} }) => Object.values(examples));
  return answer?.["x-request"]?.path;
}

/**
 * A path that can be asked for. An answer without a body has no example: the path is then that of another operation there, since curl
 * reads the braces of `{id}` as a list.
 */
function samplePath(api: DescribedApi, placed: PlacedOperation): string {
  const there = operationsOf(api).filter(({ path }) => path === placed.path);
  const [other] = there.flatMap((each) => examplePath(each)?.replace(/\?.*$/, "") ?? []);
  return examplePath(placed) ?? other ?? placed.path;
}

/** The body of the first example's request. */
export function sampleRequest(placed: PlacedOperation): SampleRequest {
  const [[mediaType, body] = [null, undefined]] = Object.entries(placed.operation.requestBody?.content ?? {}) as [
    string,
    MediaType,
  ][];
  const [example] = Object.values(body?.examples ?? {});
  return { mediaType, value: example?.value ?? {} };
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
  const { mediaType, value } = sampleRequest(placed);
  const [answerType = "application/json"] = Object.keys(answerOf(placed));
  const files = formMembers(api, placed).flatMap(({ name, isFile }) => (isFile ? [name] : []));
  const flags = answerType === "text/event-stream" ? "-sSN" : "-sS";
  const parts = [
    `curl ${flags}${placed.method === "GET" ? "" : ` -X ${placed.method}`} ${quoted(`${base}${samplePath(api, placed)}`)}`,
    ...credentialParts(api, placed),
    ...bodyParts(mediaType, value, files),
    // With f, curl says that a request was refused; otherwise it would keep the error as the file, without a word.
    ...(/json|event-stream/.test(answerType) ? [] : ["-fOJ"]),
  ];
  return parts.join(" \\\n  ");
}

/** The header that presents the credential: that of the security scheme, or a bearer token. */
function credentialParts(api: DescribedApi, { operation }: PlacedOperation): string[] {
  if (operation.security?.length === 0) return [];
  const [scheme = ""] = Object.keys(operation.security?.[0] ?? {});
  const header = api.components?.securitySchemes?.[scheme]?.name;
  return [header === undefined ? `-H "Authorization: Bearer $TOKEN"` : `-H "${header}: $SECRET"`];
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

/**
 * A block of code with its caption and a button that copies it; the button works with the page's script only. A name needs a role: screen
 * readers ignore the name of a bare `pre`.
 */
export function sample(caption: string, text: string): string {
  return `<figure class="sample"><figcaption>${caption}<button class="button slim" type="button" data-copy>Copy</button></figcaption><pre tabindex="0" role="group" aria-label="${escapeHtml(caption.replaceAll(/<[^>]+>/g, ""))}"><code>${escapeHtml(text)}</code></pre></figure>`;
}
