import closeWithGrace from "close-with-grace";
import type { Config } from "../../config/config.ts";

/** Signals that end the process. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Seconds that stopping may take beyond SHUTDOWN_GRACE_SECONDS: jobs under way, and the last checkpoint of the embedded Postgres. */
const STOP_PATIENCE_SECONDS = 30;

/**
 * Ends the process after `stop`, at the first request to end: a signal, a fault, or a call of the returned function. The returned function is for
 * a process that ended by itself, and sets exit code 1. `stopped` runs after a signal. Call this before anything is started: otherwise an early
 * Ctrl-C would leave Postgres running.
 */
export function stopOnSignal(
  config: Pick<Config, "shutdownGraceSeconds">,
  stop: () => Promise<void>,
  stopped: () => void = () => {},
): () => void {
  let endedByItself = false;
  let stopping = false;
  const { close } = closeWithGrace(
    {
      delay: (config.shutdownGraceSeconds + STOP_PATIENCE_SECONDS) * 1_000,
      logger: false,
      // The library would exit at a second signal without waiting for `stop`. A Ctrl-C under npm is two signals:
      // the terminal's own, and the one that npm passes on.
      skip: [...STOP_SIGNALS],
      onTimeout: (delay) => console.error(`did not stop within ${delay / 1_000} s, and ends now`),
      onSecondError: (error) => console.error("did not stop because of another fault:", error),
    },
    async ({ err }) => {
      stopping = true;
      if (err) console.error(err);
      await stop();
      if (endedByItself) process.exit(1);
      if (!err) stopped();
    },
  );
  const closeOnce = () => {
    if (!stopping) void close();
    stopping = true;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, closeOnce);
  return () => {
    endedByItself = !stopping;
    closeOnce();
  };
}
