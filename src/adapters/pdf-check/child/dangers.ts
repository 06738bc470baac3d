import type { Danger, Finding } from "../verdict.ts";
import type { Resolve } from "./filters.ts";
import { type Dict, dictOf, nameText, Ref, STRING, Stream, type Value } from "./values.ts";

/** Actions by their `/S` (ISO 32000-2, 12.6.4). What is left only moves about in the document, or opens a link. */
const ACTIONS = new Map<string, Danger>([
  ["JavaScript", "javascript"],
  ["Launch", "launch"],
  ["GoToE", "embedded_file"],
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
  return value === STRING || (value instanceof Stream && !value.dict.has("Subtype"));
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
