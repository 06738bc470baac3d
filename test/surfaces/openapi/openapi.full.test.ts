// schema/openapi.json has not even a warning. `npm run check` finds its errors.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { DESCRIPTION_FILE } from "./openapi-document.ts";

test("the document is lint-clean under redocly.yaml", async () => {
  const root = path.join(import.meta.dirname, "../../..");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, "node_modules/@redocly/cli/bin/cli.js"), "lint", DESCRIPTION_FILE, "--format=json"],
    { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" } },
  );
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
});
