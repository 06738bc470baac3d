import fs from "node:fs";
import path from "node:path";
import { formsIn } from "./forms.ts";

/** Guides and READMEs, and the texts of the command line. The changelog and the record of benchmarks keep the words of their day. */
const FILES = [
  "{CONTRIBUTING,README,SECURITY}.md",
  "{sql,src}/**/*.md",
  "test/README.md",
  "src/services/*/commands/*.ts",
  "src/main/commands/*.ts",
  "src/surfaces/cli/*.ts",
];
const DESCRIBED = new Set(["description", "summary"]);
const EXAMPLES = new Set(["example", "examples", "x-examples"]);

/** What `npm run check:prose` prints: a line for each form that others read and that CONTRIBUTING.md says to avoid. */
export function proseFaults(root: string): string[] {
  const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");
  const files = fs.globSync(FILES, { cwd: root }).sort();
  const documents = fs.globSync("schema/openapi*.json", { cwd: root }).sort();
  return [
    ...files.flatMap((file) => faultsOf(file, file.endsWith(".md") ? proseOf(read(file)) : read(file))),
    ...documents.flatMap((file) => [...descriptionsIn(JSON.parse(read(file)))].flatMap((text) => faultsOf(file, text))),
    ...faultsOf("schema/schema.graphql", descriptionsOfGraphql(read("schema/schema.graphql"))),
  ];
}

/** Descriptions of an API have no lines of their own: the fault shows the text around it. */
const faultsOf = (file: string, text: string): string[] =>
  formsIn(text).map(({ found, index, write }) => {
    const line = file.startsWith("schema/") ? "" : `:${text.slice(0, index).split("\n").length}`;
    const around = text.slice(Math.max(0, index - 40), index + found.length + 20).replaceAll(/\s+/g, " ");
    return `${file}${line}: "${found}" in "…${around}…"; better, for example: ${write}`;
  });

/** A page without code and without the list of forms, whose lines keep their numbers. */
export const proseOf = (page: string): string =>
  page
    .replaceAll(/^## Forms to avoid$[\s\S]*?(?=^## |(?![\s\S]))/gm, blank)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, blank)
    .replaceAll(/(`+)[^`][\s\S]*?\1/g, blank);

const blank = (text: string) => text.replaceAll(/[^\n]/g, " ");

function* descriptionsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [member, each] of Object.entries(value))
    if (DESCRIBED.has(member) && typeof each === "string") yield each;
    else if (!EXAMPLES.has(member)) yield* descriptionsIn(each);
}

const descriptionsOfGraphql = (schema: string): string =>
  [...schema.matchAll(/"""([\s\S]*?)"""/g)].map(([, text]) => text).join("\n");
