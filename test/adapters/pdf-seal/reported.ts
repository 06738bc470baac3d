// PDFs of public bug reports, where they lie beside the repository.
import fs from "node:fs";
import path from "node:path";

const FOLDER = path.resolve(import.meta.dirname, "../../../../shared/cases/pdf");

export const reported: readonly (readonly [name: string, pdf: Buffer])[] = fs.existsSync(FOLDER)
  ? fs
      .readdirSync(FOLDER)
      .filter((name) => name.endsWith(".pdf"))
      .map((name) => [name, fs.readFileSync(path.join(FOLDER, name))] as const)
  : [];
