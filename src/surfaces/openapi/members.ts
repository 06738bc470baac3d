import { SHAPES } from "../../verifier/evidence-form.ts";
import { REQUEST_ID_FORM } from "../http/request-id.ts";
import type { Schema } from "./schema.ts";

// Members that many answers have.

const textLike = (shape: RegExp): Schema => ({ type: "string", pattern: shape.source });
export const SHA256 = textLike(SHAPES.sha256);
export const CODE = textLike(SHAPES.verification_code);
export const ED25519_ID = textLike(SHAPES.key_id);
export const ML_DSA_ID = textLike(SHAPES.pq_key_id);
/** The id of a delivered event, as webhooks.event_name of SQL makes it. */
export const EVENT_ID_SHAPE = /^evt_[0-9a-f]{32}$/;
export const EVENT_ID = textLike(EVENT_ID_SHAPE);
const BASE64: Schema = { type: "string", contentEncoding: "base64" };
export const INSTANT: Schema = { type: "string", format: "date-time" };
/**
 * An instant as it was signed or hashed: in UTC, with six digits and the offset in numbers. It has no format: what generators make of `date-time`
 * takes `Z` alone.
 */
export const SIGNED_INSTANT = textLike(SHAPES.registered_at);
export const DAY: Schema = { type: "string", format: "date" };
export const UUID: Schema = { type: "string", format: "uuid" };
const { least, most, pattern } = REQUEST_ID_FORM;
export const REQUEST_ID: Schema = { type: "string", minLength: least, maxLength: most, pattern };

/** Formats that the tag `@format` of a column's comment may name, beside the service's own formats (ApiDescription). */
export const FORMATS: Readonly<Record<string, Schema>> = {
  base64: BASE64,
  ed25519_key_id: ED25519_ID,
  ml_dsa_key_id: ML_DSA_ID,
  sha256: SHA256,
  uri: { type: "string", format: "uri" },
};

export const always = (value: string | number): Schema => ({
  type: typeof value === "number" ? "integer" : "string",
  const: value,
});
