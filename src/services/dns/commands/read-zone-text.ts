import fs from "node:fs";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";
import { MOST_FILE_BYTES } from "../zone-file/zone-file-thread.ts";

/**
 * The text of a zone file.
 * @param file its path; - is the standard input
 * @throws CommandRefused for a file that cannot be read, has more than 16 MiB or is not UTF-8
 */
export async function readZoneText(file: string): Promise<string> {
  const refused = (message: string) =>
    new CommandRefused(`error: ${file === "-" ? "standard input" : file}: ${message}`);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of file === "-" ? process.stdin : fs.createReadStream(file)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_FILE_BYTES) break;
    }
  } catch (error) {
    throw refused((error as Error).message);
  }
  if (size > MOST_FILE_BYTES) throw refused("the file has more than 16 MiB");
  try {
    // Bytes that are not text would reach the zone as replacement characters.
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw refused("the file is not UTF-8");
  }
}
