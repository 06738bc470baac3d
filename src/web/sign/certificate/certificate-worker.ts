/** The thread that opens certificate files: one may take long, and the page lives on. It ends with its file, whose bytes, password and key it alone has seen. */
import { openFile } from "./open-file.ts";
import type { Task } from "./thread.ts";

self.onmessage = async ({ data: { file, password } }: MessageEvent<Task>) => {
  try {
    self.postMessage(await openFile(new Uint8Array(await file.arrayBuffer()), password));
  } catch {
    self.postMessage({ fault: "damaged" });
  }
};
