// A surface with other forms than the main one's, a surface below the main one's prefix, and a service with paths on both.
import { createHash, randomBytes } from "node:crypto";
import { AppError } from "../../../src/errors/app-error.ts";
import type { Operator } from "../../../src/postgres/operator/operator.ts";
import type { Service } from "../../../src/services/service.ts";
import { services } from "../../../src/services/services.ts";
import type { ExampleRequest } from "../../../src/surfaces/openapi/examples/example-request.ts";
import { objectOf } from "../../../src/surfaces/openapi/schema.ts";
import type { Operation, RestForm } from "../../../src/surfaces/operation.ts";
import type { CredentialHolder, DescribedSurface, RestSurface } from "../../../src/surfaces/rest/surface.ts";
import type { TestDatabase } from "../../support/database.ts";

const SHAPE = /^key_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/;

/** A secret of the other form, of a holder whose credential in the database it takes the place of. */
export async function issueKey(
  operator: Operator,
  database: Pick<TestDatabase, "admin">,
  { tenantId, environment, scopes }: CredentialHolder,
): Promise<{ readonly id: string; readonly key: string }> {
  const { id } = await operator.createToken(tenantId, environment, "key", scopes);
  const key = `key_${randomBytes(4).toString("hex")}_${randomBytes(32).toString("base64url")}`;
  const digest = createHash("sha256").update(key).digest();
  await database.admin.query("update platform.credentials set digest = sha256($2) where actor_id = $1", [id, digest]);
  return { id, key };
}

/** @param database where `issue` makes keys: there is no command for them */
export function secondSurface(database: () => Pick<TestDatabase, "admin">): DescribedSurface {
  return {
    prefix: "/v7",
    errors: {
      body: ({ code, message, fields }, requestId) => ({
        detail: message,
        code,
        request_id: requestId,
        ...(fields ? { fields } : {}),
      }),
      challenge: 'Key realm="rows"',
    },
    lists: {
      send: ({ items, counted }) => ({
        body: items ?? "null",
        headers: counted === null ? {} : { "x-total-count": String(counted.total) },
      }),
      documentedHeaders: { "X-Total-Count": { description: "How many there are.", schema: { type: "string" } } },
      schemaSuffix: "Rows",
    },
    limits: {
      headers: ({ limit, remaining, seconds }) => ({
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(remaining),
        "x-ratelimit-reset": String(seconds),
      }),
      refusal: ({ policy, windowSeconds }) => `Over the limit of this ${policy} for ${windowSeconds} s.`,
    },
    credentials: {
      headers: ["X-Key"],
      digest: ({ "x-key": key }) => {
        if (key === undefined) throw new AppError(401, "unauthenticated", "There is no key.");
        if (typeof key !== "string" || !SHAPE.test(key)) throw new AppError(401, "unauthenticated", "That is no key.");
        return createHash("sha256").update(key).digest();
      },
      unknown: () => new AppError(401, "unauthenticated", "Nobody has that key."),
      securityScheme: { name: "key", definition: { type: "apiKey", in: "header", name: "X-Key" } },
      issue: async (operator, holder) => ({ "X-Key": (await issueKey(operator, database(), holder)).key }),
    },
    document: {
      file: "schema/openapi-rows.json",
      title: "Rows",
      introduction: ({ idempotencyRetentionDays }) => `Keys are kept for ${idempotencyRetentionDays} days.`,
      errorSchema: (codes) =>
        objectOf(
          {
            detail: { type: "string" },
            code: { type: "string", enum: codes },
            request_id: { type: "string", format: "uuid" },
            fields: { type: "array", items: objectOf({ field: { type: "string" }, message: { type: "string" } }) },
          },
          ["fields"],
        ),
      limitHeaders: {
        "X-RateLimit-Limit": { description: "Requests a minute.", schema: { type: "string" } },
        "X-RateLimit-Remaining": { description: "How many are left.", schema: { type: "string" }, changes: true },
      },
      describesWebhooks: false,
    },
  };
}

/** Lies below the main surface's prefix. */
export function innerSurface(main: DescribedSurface): DescribedSurface {
  return {
    ...main,
    prefix: `${main.prefix}/rooms`,
    errors: { body: ({ message }) => ({ error: message }), challenge: "Bearer" },
    document: { ...main.document, file: "schema/openapi-rooms.json", title: "Rooms" },
  };
}

/** Where the routes of proofs are on the second surface. */
const PATHS: Readonly<Record<string, string>> = {
  registerProof: "/rows",
  listProofs: "/rows",
  getProof: "/rows/{id}",
  getReceipt: "/rows/{id}/receipt",
  getPublicProof: "/open/{code}",
};

/** Names are unique over all services. */
const ofRows = (operation: string) => `${operation}OfRows`;

/** Paths that do what those of proofs do, as a service gives them. */
export function rowsService(surface: RestSurface, inner: RestSurface): Service {
  // Without their fields of GraphQL, which the product's have.
  const at = (
    { graphql: _, ...operation }: Operation,
    name: string,
    place: Pick<RestForm, "surface" | "path">,
  ): Operation => {
    // One path alone, which reads and describes JSON and a form.
    const form = [operation.rest].flat()[0] as RestForm;
    return { ...operation, name, rest: { ...form, ...place } };
  };
  // The service of proofs.
  const proofs = services.find((service) => service.operations?.some(({ name }) => name === "registerProof"));
  const given = (proofs?.operations ?? []) as readonly Operation[];
  const operations = given.flatMap((operation): Operation[] => {
    const path = PATHS[operation.name];
    return path === undefined ? [] : [at(operation, ofRows(operation.name), { surface, path })];
  });
  const readProof = given.find(({ name }) => name === "getProof") as Operation;
  return {
    name: "rows",
    operations: [...operations, at(readProof, "getRoom", { surface: inner, path: "/{id}" })],
    examples: async () => [
      ...((await proofs?.examples?.()) ?? [])
        .filter(({ operation }) => operation in PATHS)
        .map(
          ({ path, operation, ...rest }): ExampleRequest => ({
            ...rest,
            operation: ofRows(operation),
            ...(path === undefined ? {} : { path: path.replace(/^\/proofs/, "/rows").replace(/\{(\w+)/, `{$1OfRows`) }),
          }),
        ),
      {
        operation: ofRows("getPublicProof"),
        name: "proof",
        summary: "A proof",
        caller: "anyone",
        path: "/open/{registerProofOfRows.digest.verification_code}",
      },
      {
        operation: "getRoom",
        name: "proof",
        summary: "A proof",
        caller: "live",
        path: "/{registerProofOfRows.digest.id}",
      },
    ],
    ownRoutesSurface: surface,
    ownRoutes: [
      async (app) => {
        app.get("/own", async () => ({ own: true }));
        app.get("/own/fault", async () => {
          throw new Error("a fault of the program");
        });
      },
    ],
  };
}
