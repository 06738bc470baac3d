import { lstatSync } from "node:fs";
import path from "node:path";
import { ProgramError } from "../programs/program-error.ts";

/** The folder of the installed program. */
export const treeFolder = (dataDir: string): string => path.join(dataDir, "nameserver");

/**
 * Checks that nobody else can change a folder whose programs we run.
 * @throws ProgramError if it belongs to another user than us and root, or if others may write to it
 */
export function isOursAlone(folder: string): void {
  const { uid, mode, isFolder } = statOf(folder);
  const us = process.getuid?.() ?? uid;
  const why = !isFolder
    ? "is no folder"
    : uid !== us && uid !== 0
      ? "belongs to another user"
      : (mode & 0o022) !== 0
        ? "can be written by others"
        : null;
  if (why !== null)
    throw new ProgramError(
      `${folder} ${why}, so its programs are not run. Remove it, and install the nameserver again.`,
    );
}

function statOf(folder: string): { readonly uid: number; readonly mode: number; readonly isFolder: boolean } {
  const stat = lstatSync(folder);
  return { uid: stat.uid, mode: stat.mode, isFolder: stat.isDirectory() };
}
