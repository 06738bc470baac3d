// The sample service as a service of the product: in a copy of the sources, its files stand where its README says, and one line registers it.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { type Clone, clone } from "../support/clone.ts";
import { notes } from "../surfaces/sample-service/service.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SAMPLE = "test/surfaces/sample-service";
/** The file that lists the services. */
export const SERVICES = "src/services/services.ts";
/** What the programs, their build and their checks need. Nothing else can be changed by adding a service. */
const PARTS = [
  "src",
  "sql",
  "workers",
  "schema",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "SECURITY.md",
  "CHANGELOG.md",
  ".dependency-cruiser.cjs",
];
/** The folders of a service of the product. */
export const FOLDERS = [
  `src/services/${notes.name}/`,
  `sql/${notes.name}/`,
  `workers/${notes.name}/`,
  `src/web/${notes.name}/`,
];

/** A copy of the product to which the service was added. */
export interface Added extends Pick<Clone, "root" | "remove"> {
  /** Runs a program of the copy; what it printed. */
  readonly run: (...words: readonly string[]) => Promise<string>;
  /** Files that came, changed or went since the copy was made, in the order of their names. */
  readonly changes: () => Record<"added" | "changed" | "removed", string[]>;
  /** Lines that a file of the copy has and this checkout's file has not, and the other way round. */
  readonly lines: (file: string) => Record<"added" | "removed", string[]>;
}

/** Copies the product, puts the files of the service into its folders and registers it. Nothing is generated yet. */
export function addService(): Added {
  const { root, remove } = clone(...PARTS);
  const before = digests(root);
  for (const file of filesIn(path.join(ROOT, SAMPLE))) {
    const place = placeOf(file);
    if (place !== null) write(root, place, placed(file, place));
  }
  const services = fs.readFileSync(path.join(root, SERVICES), "utf8");
  write(root, SERVICES, registered(services));
  return {
    root,
    remove,
    run: async (...words) => {
      try {
        return (await promisify(execFile)(process.execPath, words, { cwd: root })).stdout;
      } catch (error) {
        // Checks say on stdout what they found; the message of execFile has stderr alone.
        const { message, stdout } = error as Error & { stdout: string };
        throw new Error(`${message}\n${stdout}`, { cause: error });
      }
    },
    changes: () => {
      const after = digests(root);
      return {
        added: [...after.keys()].filter((file) => !before.has(file)),
        changed: [...after.keys()].filter((file) => before.has(file) && before.get(file) !== after.get(file)),
        removed: [...before.keys()].filter((file) => !after.has(file)),
      };
    },
    lines: (file) => {
      const [mine, own] = [ROOT, root].map((folder) => fs.readFileSync(path.join(folder, file), "utf8").split("\n"));
      const beyond = (some: readonly string[] = [], others: readonly string[] = []) =>
        some.filter((line) => !others.includes(line));
      return { added: beyond(own, mine), removed: beyond(mine, own) };
    },
  };
}

/** The line of the service: its import and its entry in the list. */
function registered(text: string): string {
  const { name } = notes;
  const list = /^export const services: .* = \[/m;
  if (!list.test(text)) throw new Error(`${SERVICES} has no list of services`);
  return `import { ${name} } from "./${name}/service.ts";\n${text.replace(list, (begin) => `${begin}${name}, `)}`;
}

/** Where a service of the product has a file of the sample service; null for what no service of the product has, and for tests. */
function placeOf(file: string): string | null {
  const { name } = notes;
  if (["README.md", "generated.ts", "sql/database.sql"].includes(file)) return null;
  if (/\.test\.ts$|^(isolation|with-compress)\.ts$/.test(file)) return null;
  const migration = new RegExp(`^sql/migrations/${name}-(\\d{4})-(.+)$`).exec(file);
  if (migration !== null) {
    const [, number = "", what = ""] = migration;
    return `sql/migrations/${String(lastNumber() + Number(number)).padStart(4, "0")}-${name}-${what}`;
  }
  const homes = { "sql/": "sql", "tasks/": "workers", "web/": "src/web" };
  for (const [folder, home] of Object.entries(homes))
    if (file.startsWith(folder)) return `${home}/${name}/${file.slice(folder.length)}`;
  return `src/services/${name}/${file}`;
}

/** The number of the product's last migration. */
function lastNumber(): number {
  const numbers = fs
    .readdirSync(path.join(ROOT, "sql/migrations"))
    .map((file) => Number(/^\d{4}/.exec(file)?.[0] ?? 0));
  return Math.max(...numbers);
}

/** The text of a file in its place: it names the product's commands instead of its own, imports lead to where the others stand, and the definition has no SQL of its own. */
function placed(file: string, place: string): string {
  const text = fs.readFileSync(path.join(ROOT, SAMPLE, file), "utf8");
  if (!/\.tsx?$/.test(file)) return text;
  const own =
    file === "service.ts" ? without(text, ["sqlFolder: ", "addedCommands: ", "// A service of the product "]) : text;
  return own
    .replace(/^import \{ commands \} from .*\/generated\.ts";\n/m, "")
    .replace(/(?<![-/\w])commands\.(\w+)/g, '"$1"')
    .replace(/(?<=(?:from |import\()")\.[^"]+/g, (specifier) => {
      const target = path.posix.join(SAMPLE, path.posix.dirname(file), specifier);
      const within = path.posix.relative(SAMPLE, target);
      const goal = within.startsWith("../") ? target : (placeOf(within) ?? target);
      const relative = path.posix.relative(path.posix.dirname(place), goal);
      return relative.startsWith(".") ? relative : `./${relative}`;
    });
}

/** The text without the line that begins with each of these words. */
function without(text: string, beginnings: readonly string[]): string {
  const lines = text.split("\n");
  const kept = lines.filter((line) => !beginnings.some((begin) => line.trimStart().startsWith(begin)));
  if (kept.length !== lines.length - beginnings.length)
    throw new Error("the definition is not as a service outside sql/ has it");
  return kept.join("\n");
}

function write(root: string, file: string, text: string): void {
  const place = path.join(root, file);
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, text);
}

function filesIn(folder: string): string[] {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).sort();
}

/** The digest of each copied file, by its name. */
function digests(root: string): Map<string, string> {
  const files = PARTS.flatMap((part) => {
    const place = path.join(root, part);
    return fs.statSync(place).isDirectory() ? filesIn(place).map((file) => `${part}/${file}`) : [part];
  });
  const digest = (file: string) =>
    createHash("sha256")
      .update(fs.readFileSync(path.join(root, file)))
      .digest("hex");
  return new Map(files.sort().map((file) => [file, digest(file)]));
}
