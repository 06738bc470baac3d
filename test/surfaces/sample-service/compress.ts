import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

/** Compresses text. An adapter: it acts outside the database, and tests can hold it or check it with another program. */
export type Compress = (text: string) => Promise<Buffer>;

/** Brotli, on a thread of this process. */
export const brotli: Compress = promisify<string, Buffer>(brotliCompress);
