import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../../../src/errors/app-error.ts";
import type { Operator } from "../../../src/postgres/operator/operator.ts";
import { commonLimits } from "../../../src/surfaces/http/limits.ts";
import { objectOf } from "../../../src/surfaces/openapi/schema.ts";
import type { CredentialHolder, DescribedSurface } from "../../../src/surfaces/rest/surface.ts";
import { createKey } from "./store.ts";

const FORM = /^note_[A-Za-z0-9_-]{43}$/;
const refused = () => new AppError(401, "unauthenticated", "X-Note-Key is missing, unknown or revoked.");
const digestOf = (key: string) => createHash("sha256").update(key).digest();

/** Makes a key. Its secret is not stored. */
export async function issueKey(operator: Operator, holder: CredentialHolder, name: string) {
  const key = `note_${randomBytes(32).toString("base64url")}`;
  return { id: await createKey(operator, holder, name, digestOf(key)), key };
}

/** Notes for programs that know only this surface: another prefix, another credential, shorter answers. */
export const keySurface: DescribedSurface = {
  prefix: "/note-keys/v1",
  errors: {
    body: ({ code, message }, requestId) => ({ error: code, message, request_id: requestId }),
    challenge: "Key",
  },
  lists: {
    send: ({ items, counted }) => ({
      body: items ?? "null",
      headers: counted === null ? {} : { "x-total-count": String(counted.total) },
    }),
    documentedHeaders: { "X-Total-Count": { description: "How many there are.", schema: { type: "string" } } },
    schemaSuffix: "List",
  },
  limits: commonLimits,
  credentials: {
    headers: ["X-Note-Key"],
    digest: ({ "x-note-key": key }) => {
      if (typeof key !== "string" || !FORM.test(key)) throw refused();
      return digestOf(key);
    },
    unknown: refused,
    securityScheme: { name: "key", definition: { type: "apiKey", in: "header", name: "X-Note-Key" } },
    issue: async (operator, holder) => ({ "X-Note-Key": (await issueKey(operator, holder, "example")).key }),
  },
  document: {
    file: "schema/openapi-note-keys.json",
    title: "Notes by key",
    introduction: () => "What a key reads. `X-Note-Key` holds it.",
    errorSchema: (codes) =>
      objectOf({
        error: { type: "string", enum: codes },
        message: { type: "string" },
        request_id: { type: "string", format: "uuid" },
      }),
    limitHeaders: {},
    describesWebhooks: false,
  },
};
