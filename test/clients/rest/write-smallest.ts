// Writes smallest.ts, which gives every operation its smallest body in the types of each generator: node write-smallest.ts <description> <folder> <clients…>. What asks callers for more does not compile.
import fs from "node:fs";
import path from "node:path";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly format?: string;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const [input = "", folder = "", ...clients] = process.argv.slice(2);
const { paths, components } = JSON.parse(fs.readFileSync(input, "utf8")) as Description;

/** The smallest value that a schema takes, as an expression of TypeScript. */
function smallest(schema: Schema): string {
  if (schema.$ref !== undefined) return smallest(components.schemas[path.basename(schema.$ref)] as Schema);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return JSON.stringify(schema.enum[0]);
  if (schema.anyOf !== undefined) return smallest(schema.anyOf[0] as Schema);
  switch ([schema.type].flat()[0]) {
    case "object": {
      const members = (schema.required ?? []).map(
        (name) => `${name}: ${smallest(schema.properties?.[name] as Schema)}`,
      );
      return `{ ${members.join(", ")} }`;
    }
    case "array":
      return `[${Array.from({ length: schema.minItems ?? 0 }, () => smallest(schema.items as Schema)).join(", ")}]`;
    case "integer":
    case "number":
      return "1";
    case "boolean":
      return "true";
    case "string":
      return schema.format === "binary" ? "file" : `""`;
    default:
      throw new Error(`what is the smallest value of ${JSON.stringify(schema)}?`);
  }
}

/** The types of a body in each client, by the operation, the name of its schema and the media type. */
const TYPES: Readonly<Record<string, (operation: string, schema: string, mediaType: string) => string>> = {
  "hey-api": (operation) => `NonNullable<hey.${operation}Data["body"]>`,
  orval: (_, schema) => `orval.${schema}`,
  "orval-zod": (operation) => `z.input<typeof zod.${operation}Body>`,
  "swagger-typescript-api": (_, schema) => `api.${schema}`,
  "openapi-fetch": (operation, _, mediaType) =>
    `NonNullable<selo.operations["${operation.charAt(0).toLowerCase()}${operation.slice(1)}"]["requestBody"]>["content"]["${mediaType}"]`,
};
const IMPORTS: Readonly<Record<string, string>> = {
  "hey-api": `import type * as hey from "./hey-api/index.ts";`,
  orval: `import type * as orval from "./orval/selo.ts";`,
  "orval-zod": `import type { z } from "zod";\nimport type * as zod from "./orval/schemas.ts";`,
  "swagger-typescript-api": `import type * as api from "./swagger-typescript-api/selo.ts";`,
  "openapi-fetch": `import type * as selo from "./openapi-fetch/selo.ts";`,
};

const lines = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, requestBody }) =>
    Object.entries(requestBody?.content ?? {}).flatMap(([mediaType, { schema }]) => {
      const operation = operationId.charAt(0).toUpperCase() + operationId.slice(1);
      const name = path.basename(schema.$ref ?? "");
      return clients.map((client) => {
        const type = TYPES[client]?.(operation, name, mediaType);
        return `{ const body: ${type} = ${smallest(schema)}; void body; }`;
      });
    }),
  );
const imports = clients.map((client) => IMPORTS[client]);
fs.writeFileSync(path.join(folder, "smallest.ts"), [...imports, "declare const file: File;", ...lines, ""].join("\n"));
