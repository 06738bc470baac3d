// Clients as their generators write them: node generate.ts <description> <folder>.
import fs from "node:fs";
import path from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString } from "openapi-typescript";
import { generate } from "orval";
import { generateApi } from "swagger-typescript-api";
import ts from "typescript";

const [input = "", folder = ""] = process.argv.slice(2).map((name) => path.resolve(name));
const at = (...names: readonly string[]) => path.join(folder, ...names);

await createClient({
  input,
  output: { path: at("hey-api"), module: { extension: ".ts" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
  logs: { level: "error" },
});

await generate({
  input,
  output: {
    target: at("orval/selo.ts"),
    client: "fetch",
    // Its addresses begin with that of the description's server, and have no host.
    baseUrl: { getBaseUrlFromSpecification: true },
  },
});
await generate({
  input,
  output: {
    target: at("orval/schemas.ts"),
    client: "zod",
    // Errors as well.
    override: { zod: { generateEachHttpStatus: true } },
  },
});

await generateApi({
  input,
  output: at("swagger-typescript-api"),
  fileName: "selo.ts",
  cleanOutput: false,
  silent: true,
  // An error is answered with its type, and not thrown without one.
  disableThrowOnError: true,
});

// The documentation's own example for files, which are strings otherwise.
const BLOB = ts.factory.createTypeReferenceNode("Blob");
const types = await openapiTS(new URL(`file://${input}`), {
  transform: ({ format }) => (format === "binary" ? BLOB : undefined),
});
fs.mkdirSync(at("openapi-fetch"), { recursive: true });
fs.writeFileSync(at("openapi-fetch/selo.ts"), astToString(types));
