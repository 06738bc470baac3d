/** What tabs of this browser ask each other about one request. */
type Message = { readonly kind: "who" } | { readonly kind: "looking" } | OtherTab;

/** What is known of other tabs: one has the request open, or had it open until its link was replaced, or there is no such tab. */
export type OtherTab =
  | { readonly kind: "here"; readonly title: string }
  | { readonly kind: "replaced" }
  | { readonly kind: "none" };

/** A tab answers at once, unless the browser has put it to sleep. */
const PATIENCE_MS = 400;
/** A tab that answered first asks the service whether its link is still good. */
const PATIENCE_WHILE_LOOKING_MS = 20_000;

function channelOf(participantId: string): BroadcastChannel | null {
  return typeof BroadcastChannel === "function" ? new BroadcastChannel(`selo.signing.${participantId}`) : null;
}

/** Tells other tabs, as long as this one has the link, that the request is open here. @param isGood whether its link still opens the request */
export function answerOtherTabs(participantId: string, isGood: () => Promise<boolean>): () => void {
  const channel = channelOf(participantId);
  let isClosed = false;
  const say = (message: Message) => {
    if (!isClosed) channel?.postMessage(message);
  };
  channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.kind !== "who") return;
    say({ kind: "looking" });
    const { title } = document;
    void isGood().then((good) => say(good ? { kind: "here", title } : { kind: "replaced" }));
  });
  return () => {
    // A tab that finds its link replaced leaves the step, and says so before it falls silent.
    setTimeout(() => {
      isClosed = true;
      channel?.close();
    });
  };
}

/** Asks other tabs. A tab with a good link counts more than one whose link was replaced. */
export function askOtherTabs(participantId: string): Promise<OtherTab> {
  const channel = channelOf(participantId);
  if (channel === null) return Promise.resolve({ kind: "none" });
  const answer = new Promise<OtherTab>((resolve) => {
    let found: OtherTab = { kind: "none" };
    let looking = 0;
    let isLate = false;
    const settle = () => {
      if (isLate && looking <= 0) resolve(found);
    };
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      if (data.kind === "looking") looking += 1;
      if (data.kind === "here") resolve(data);
      if (data.kind === "replaced") {
        looking -= 1;
        found = data;
        settle();
      }
    });
    setTimeout(() => {
      isLate = true;
      settle();
    }, PATIENCE_MS);
    setTimeout(() => resolve(found), PATIENCE_WHILE_LOOKING_MS);
  });
  channel.postMessage({ kind: "who" } satisfies Message);
  return answer.finally(() => channel.close());
}
