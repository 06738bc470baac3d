import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

/** Compresses words. An adapter: it acts outside of the database, and tests hold it or ask another program. */
export type Compress = (text: string) => Promise<Buffer>;

/** Brotli, on a thread of this process. */
export const brotli: Compress = promisify<string, Buffer>(brotliCompress);
