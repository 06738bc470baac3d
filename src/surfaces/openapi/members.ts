import { SHAPES } from "../../verifier/evidence-form.ts";
import type { Schema } from "./schema.ts";

// Members that many answers have.

const textLike = (shape: RegExp): Schema => ({ type: "string", pattern: shape.source });
export const SHA256 = textLike(SHAPES.sha256);
export const CODE = textLike(SHAPES.verification_code);
export const ED25519_ID = textLike(SHAPES.key_id);
export const ML_DSA_ID = textLike(SHAPES.pq_key_id);
export const ALGORITHM: Schema = { type: "string", enum: ["Ed25519", "ML-DSA-87"] };
export const BASE64: Schema = { type: "string", contentEncoding: "base64" };
export const INSTANT: Schema = { type: "string", format: "date-time" };
export const DAY: Schema = { type: "string", format: "date" };
export const UUID: Schema = { type: "string", format: "uuid" };

export const always = (value: string | number): Schema => ({
  type: typeof value === "number" ? "integer" : "string",
  const: value,
});
