/** What tabs of this browser ask each other about one request. */
type Message = { readonly kind: "who" } | { readonly kind: "here"; readonly title: string };

/** A tab answers at once, unless the browser has put it to sleep. */
const PATIENCE_MS = 400;

function channelOf(participantId: string): BroadcastChannel | null {
  return typeof BroadcastChannel === "function" ? new BroadcastChannel(`selo.signing.${participantId}`) : null;
}

/** Tells other tabs, as long as this one has the link, that the request is open here. */
export function answerOtherTabs(participantId: string): () => void {
  const channel = channelOf(participantId);
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind === "who") channel.postMessage({ kind: "here", title: document.title } satisfies Message);
  });
  return () => channel?.close();
}

/** The title of another tab that has the request open, or null. */
export function titleOfOtherTab(participantId: string): Promise<string | null> {
  const channel = channelOf(participantId);
  if (channel === null) return Promise.resolve(null);
  const title = new Promise<string | null>((resolve) => {
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.kind === "here") resolve(data.title);
    });
    setTimeout(() => resolve(null), PATIENCE_MS);
  });
  channel.postMessage({ kind: "who" } satisfies Message);
  return title.finally(() => channel.close());
}
