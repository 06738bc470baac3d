import { Readable } from "node:stream";

/**
 * The same stream, which throws the signal's reason as soon as it is aborted, even while the source keeps silent.
 * A source that is a Readable is destroyed then; another one is asked to close, which it may do later.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  if (signal === undefined) return yield* source;
  const iterator = source[Symbol.asyncIterator]();
  let abort = () => {};
  const listener = () => abort();
  signal.addEventListener("abort", listener);
  let isDone = false;
  let isWaiting = false;
  try {
    while (true) {
      // A new promise for each part: racing with one that lives as long as the stream would remember every part.
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        signal.throwIfAborted();
        abort = () => reject(signal.reason);
        isWaiting = true;
        iterator.next().then(resolve, reject);
      });
      isWaiting = false;
      isDone = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", listener);
    if (!isDone) {
      if (source instanceof Readable) source.destroy();
      const closed = iterator.return?.();
      // A generator that waits for its own source closes after that has answered, which may be never.
      if (isWaiting) closed?.catch(() => {});
      else await closed;
    }
  }
}
