import pg from "pg";
import { type ConnectionSettings, clientConfig } from "./pool.ts";

/** Listens on a channel of Postgres over a separate connection, until it is closed. */
export interface Listener {
  close(): Promise<void>;
}

const AGAIN_MS = 1_000;

/**
 * Calls `heard` for every NOTIFY on the channel, and after each reconnection, because notifications
 * sent meanwhile are lost. A broken connection is made again every second. Listening only speeds work up; nothing may depend on it.
 */
export function listen(settings: ConnectionSettings, channel: string, heard: () => void): Listener {
  let client: pg.Client | null = null;
  let again: NodeJS.Timeout | null = null;
  let closed = false;
  const connect = async () => {
    const own = new pg.Client({ ...clientConfig(settings), keepAlive: true });
    client = own;
    const lost = () => {
      if (client !== own) return;
      client = null;
      own.end().catch(() => {});
      if (!closed) again = setTimeout(connect, AGAIN_MS);
    };
    own.on("error", lost);
    own.on("end", lost);
    own.on("notification", heard);
    try {
      await own.connect();
      await own.query(`listen ${pg.escapeIdentifier(channel)}`);
      heard();
    } catch {
      lost();
    }
  };
  let connecting = connect();
  return {
    async close() {
      closed = true;
      if (again !== null) clearTimeout(again);
      await connecting.catch(() => {});
      connecting = Promise.resolve();
      const own = client;
      client = null;
      await own?.end().catch(() => {});
    },
  };
}
