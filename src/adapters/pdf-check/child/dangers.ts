import type { Danger, Finding } from "../verdict.ts";
import type { Resolve } from "./filters.ts";
import { type Dict, dictOf, nameText, Ref, STRING, Stream, Text, type Value } from "./values.ts";

/** Actions by their `/S` (ISO 32000-2, 12.6.4). What is left only moves about in the document, or opens a link. */
const ACTIONS = new Map<string, Danger>([
  ["JavaScript", "javascript"],
  ["Launch", "launch"],
  ["GoToR", "launch"],
  ["GoToE", "launch"],
  ["Rendition", "rich_media"],
  ["Movie", "rich_media"],
  ["Sound", "rich_media"],
  ["RichMediaExecute", "rich_media"],
  ["GoTo3DView", "rich_media"],
  ["SubmitForm", "submit_form"],
  ["ImportData", "submit_form"],
]);

/** Annotations by their `/Subtype` (12.5.6). */
const ANNOTATIONS = new Map<string, Danger>([
  ["FileAttachment", "embedded_file"],
  ["RichMedia", "rich_media"],
  ["3D", "rich_media"],
  ["Movie", "rich_media"],
  ["Sound", "rich_media"],
  ["Screen", "rich_media"],
]);

/** Events of an additional-actions dictionary (12.6.3). A font or an image may be called AA as well. */
const EVENTS = "E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP".split(" ");

/** Systems for which a file specification may have an embedded file (7.11.3). */
const EMBEDDED = ["F", "UF", "DOS", "Mac", "Unix"];

/**
 * Adds to `found` what is dangerous in one object, in everything direct in it.
 * It looks at each dictionary alone, wherever it hangs, so it also sees what no page leads to.
 */
export function findDangers(value: Value, resolve: Resolve, found: Set<Finding>): void {
  if (Array.isArray(value)) {
    for (const member of value) findDangers(member, resolve, found);
    return;
  }
  const dict = dictOf(value);
  if (!dict) return;
  inDictionary(dict, resolve, found);
  // The data of a stream may stand in another file (7.3.8.2).
  if (value instanceof Stream && isThere(at(dict, "F", resolve))) found.add("launch");
  for (const member of dict.values()) findDangers(member, resolve, found);
}

function inDictionary(dict: Dict, resolve: Resolve, found: Set<Finding>): void {
  const action = ACTIONS.get(nameOf(dict, "S", resolve) ?? "");
  if (action) found.add(action);
  const annotation = ANNOTATIONS.get(nameOf(dict, "Subtype", resolve) ?? "");
  if (annotation) found.add(annotation);
  if (nameOf(dict, "Type", resolve) === "EmbeddedFile") found.add("embedded_file");
  // A signature dictionary (12.8.1). Its type is optional.
  if (dict.has("Contents") && Array.isArray(at(dict, "ByteRange", resolve))) found.add("signature");

  if (reachesOut(dict, resolve)) found.add("launch");

  // Each of these words may also name a font, a destination, or a role. So the kind of their value counts.
  if (isScript(at(dict, "JS", resolve))) found.add("javascript");
  if (isNameTree(at(dict, "JavaScript", resolve))) found.add("javascript");
  const files = at(dict, "EF", resolve);
  if (files instanceof Map && EMBEDDED.some((system) => files.has(system))) found.add("embedded_file");
  const form = at(dict, "XFA", resolve);
  if (Array.isArray(form) || form instanceof Stream) found.add("xfa");
  if (at(dict, "NeedsRendering", resolve) === true) found.add("xfa");
  const events = at(dict, "AA", resolve);
  if (events instanceof Map && EVENTS.some((event) => isAction(at(events, event, resolve), resolve)))
    found.add("additional_action");
  const opening = at(dict, "OpenAction", resolve);
  if (isAction(opening, resolve) && !isHarmlessOpening(opening, resolve)) found.add("additional_action");
}

/** Whether it opens another file, a program, or an address that is no link of the web, a mail or a telephone. */
function reachesOut(dict: Dict, resolve: Resolve): boolean {
  const kind = nameOf(dict, "S", resolve);
  if (kind === "Thread" && isThere(at(dict, "F", resolve))) return true;
  // PostScript runs as a program (8.8.1).
  if (nameOf(dict, "Subtype", resolve) === "PS" || nameOf(dict, "Subtype2", resolve) === "PS") return true;
  // A page of another file in place of what is drawn (8.10.4).
  const reference = at(dict, "Ref", resolve);
  if (reference instanceof Map && isThere(at(reference, "F", resolve))) return true;
  const address = at(dict, "URI", resolve);
  const base = address instanceof Map ? at(address, "Base", resolve) : undefined;
  return [kind === "URI" ? address : undefined, base].some((each) => each instanceof Text && !isLink(each));
}

const SCHEMES = ["http", "https", "mailto", "tel"];

/** Without a scheme it is a name such as www.example.com, unless it names a computer: `\\\\server\\share`. */
function isLink({ begin: address, isWhole }: Text): boolean {
  // As readers do: UTF-16 and UTF-8 with a mark are read, and spaces and controls at the begin are passed over.
  const text = address.replace(/^(\u00fe\u00ff|\u00ef\u00bb\u00bf)/, "").replaceAll("\0", "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are passed over
  const begin = text.replace(/[\u0000-\u0020]/g, "");
  const [, scheme, after = ""] = /^([^:/?#\\@]*):(.*)/s.exec(begin) ?? [];
  // What is not read could have one.
  if (scheme === undefined) return isWhole && !/^[\\/]{2}/.test(begin);
  // www.example.com:8080 is a name with a port.
  const isHost = /^www\./i.test(scheme) && /^\d{1,5}([/?#]|$)/.test(after);
  return isHost || SCHEMES.includes(scheme.toLowerCase());
}

const isThere = (value: Value | undefined) => value !== undefined && value !== null;

/** Only what is there is resolved: most dictionaries have none of these keys. */
function at(dict: Dict, key: string, resolve: Resolve): Value | undefined {
  const value = dict.get(key);
  return value instanceof Ref ? resolve(value) : value;
}

function nameOf(dict: Dict, key: string, resolve: Resolve): string | undefined {
  return nameText(at(dict, key, resolve));
}

/** A script is a string, or a stream, which other streams are not as long as they say what they are. */
function isScript(value: Value | undefined): boolean {
  return value === STRING || value instanceof Text || (value instanceof Stream && !value.dict.has("Subtype"));
}

function isNameTree(value: Value | undefined): boolean {
  return value instanceof Map && (value.has("Names") || value.has("Kids"));
}

function isAction(value: Value | undefined, resolve: Resolve): value is Dict {
  return value instanceof Map && nameOf(value, "S", resolve) !== undefined;
}

/** To open at a page is common, and moves nothing but the view. */
function isHarmlessOpening(action: Dict, resolve: Resolve): boolean {
  const kind = nameOf(action, "S", resolve);
  return (kind === "GoTo" || kind === "Named") && !action.has("Next");
}
