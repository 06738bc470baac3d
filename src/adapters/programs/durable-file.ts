import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** After a crash the file has its old content or its new content, never a mixture; mode 0600. */
export function writeDurably(path: string, content: string): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

/** After a crash the names in the folder are those of now. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
