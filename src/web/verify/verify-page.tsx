import {
  Fragment,
  type ReactElement,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { EnvironmentBanner } from "../design/environment-banner.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { canonicalCode } from "../shell/code-form.tsx";
import type { SiteFacts } from "../shell/facts.ts";
import type { Language } from "../shell/language.ts";
import type { ShellWords } from "../shell/words.ts";
import { Ask, NoScript } from "./ask.tsx";
import { CheckGroups } from "./check-groups.tsx";
import { NO_CODE } from "./code-in-address.ts";
import { useDrop } from "./drop-zone.tsx";
import { codeOf, documentName, recordOfReceipt } from "./facts.ts";
import { Inputs } from "./inputs.tsx";
import type { Kind } from "./kinds.ts";
import { Comparison, Details, EnvelopePage, FileFingerprint, Keys, NameForm, Offline } from "./lazy-parts.tsx";
import { Limits } from "./limits.tsx";
import { Share } from "./share.tsx";
import { type Shown, shownOf } from "./shown.ts";
import { useVerification, type Verification } from "./use-verification.ts";
import { toneOf, VerdictBand } from "./verdict-band.tsx";
import type { VerifyWords } from "./words.ts";

interface VerifyPageProps {
  readonly words: VerifyWords;
  readonly shell: ShellWords;
  readonly language: Language;
  readonly facts: SiteFacts;
  readonly isByCode: boolean;
}

/** Results under which the address of the proof is worth handing on. */
const SHARED: readonly Kind[] = [
  "verified",
  "verified_here",
  "test",
  "test_no_file",
  "authentic",
  "attached_record",
  "on_record",
  "name_needed",
];

/** /verify and /verify/{code}: the browser computes everything. */
export function VerifyPage({ words, shell, language, facts, isByCode }: VerifyPageProps): ReactElement {
  const verification = useVerification(isByCode);
  const shown = shownOf(verification);
  const { heading, acting, act } = useFocusOnResult(shown);
  const [areKeysOpen, setKeysOpen] = useState(false);
  const add = useRef(verification.add);
  add.current = verification.add;
  const onFiles = useCallback((files: readonly File[]) => act(() => add.current(files)), [act]);
  const isOver = useDrop(onFiles);
  const onCode = (code: string) => act(() => verification.setCode(code));
  if (shown.status === "asking")
    return <Ask words={words} shell={shell} isOver={isOver} heading={heading} onCode={onCode} onFiles={onFiles} />;
  if (shown.status === "envelope") {
    const waiting = { status: "progress", progress: "looking_up" } as const;
    const band = {
      words,
      language,
      verification,
      heading,
      acting,
      address: null,
      paperAddress: addressOf(null, facts),
    };
    return (
      <Suspense fallback={<VerdictBand {...band} shown={waiting} />}>
        <EnvelopePage
          words={words}
          language={language}
          verification={verification}
          addressOf={(code) => addressOf(code, facts)}
          isOver={isOver}
          heading={heading}
          act={act}
          onFiles={onFiles}
        />
      </Suspense>
    );
  }

  const { findings, file, receipt, lookup, typedName } = verification;
  const code = codeOf(verification);
  const kind = shown.status === "result" ? shown.kind : null;
  const isHandedOn = code !== null && code !== NO_CODE && (kind === null || SHARED.includes(kind));
  const address = isHandedOn && kind !== null ? addressOf(code, facts) : null;
  const isUnknown = kind === "code_unknown" || kind === "not_a_code";
  const claims = findings !== null && kind !== null;
  const record = recordOfReceipt(verification);
  const isTest = kind !== null && (findings?.isTest ?? false);
  const isPrivate = kind !== null && findings === null;
  const cards: Readonly<Record<string, ReactNode>> = {
    name: kind === "name_needed" && file.status === "hashed" && (
      <NameForm
        words={words.naming}
        name={typedName ?? file.file.name}
        wasTried={typedName !== null}
        onName={(name) => act(() => verification.nameFile(name))}
      />
    ),
    compare: (kind === "altered" || kind === "foreign_keys") && findings && receipt && record && (
      <Comparison
        words={words}
        language={language}
        document={documentName(verification, words)}
        receipt={receipt.evidence}
        record={record.evidence}
        differing={findings.differing}
      />
    ),
    side: (claims || kind === null) && (
      <div className="side">
        <Limits words={words.limits} isTest={isTest} />
        {address !== null && code !== null && <Share words={words.share} code={code} address={address} />}
      </div>
    ),
    checks: claims ? (
      <CheckGroups words={words} language={language} findings={findings} verification={verification} />
    ) : (
      kind === null && <Skeleton isCard bones={["third", "tall", "tall", "tall"]} />
    ),
    inputs: (
      <Inputs
        words={words}
        shell={shell}
        verification={verification}
        isOver={isOver}
        wrongCode={kind === "code_unknown" ? verification.code : null}
        asksForCode={isUnknown}
        acting={acting}
        onCode={onCode}
        onFiles={onFiles}
        onStartOver={acting(verification.startOver)}
      />
    ),
    details: claims ? (
      <Details words={words} findings={findings} language={language} onKeys={() => setKeysOpen(true)} />
    ) : (
      kind === null && <Skeleton isCard bones={["third", "", "half", "", "half"]} />
    ),
    fingerprint: isPrivate && file.status === "hashed" && (
      <FileFingerprint words={words.details} sha256={file.file.sha256} />
    ),
    keys: (claims || kind === "unreachable" || kind === "throttled") && (
      <Keys
        words={words.keys}
        verification={verification}
        language={language}
        isOpen={areKeysOpen}
        onOpen={setKeysOpen}
        act={act}
      />
    ),
    offline: claims && <Offline words={words.offline} lookup={lookup} />,
  };
  const layout = layoutOf(shown, verification);
  const columns = [...ORDERS[layout], ...REST].map(
    // Cards of another layout are other cards: none of them slides over the screen.
    (name) => cards[name] && <Fragment key={`${layout} ${name}`}>{cards[name]}</Fragment>,
  );
  return (
    <>
      {isTest && <EnvironmentBanner text={words.testBar} />}
      <div className="needs-script">
        <VerdictBand
          words={words}
          language={language}
          verification={verification}
          shown={shown}
          address={address}
          paperAddress={addressOf(canonicalCode(code ?? ""), facts)}
          heading={heading}
          acting={acting}
        />
      </div>
      <div className="page">
        <NoScript words={words} />
      </div>
      {/* Without a proof the band above is lower. The key makes these cards new ones: cards that stay would slide up. */}
      <div key={`${isPrivate}`} className="page columns needs-script">
        <Suspense>
          <AfterBand shown={shown}>{columns}</AfterBand>
        </Suspense>
      </div>
    </>
  );
}

/**
 * The cards. They become alive after the band, and the first result shows in the band first: it is what visitors wait for, and drawing both at once
 * takes a slow phone three times as long. Cards of a result never stay under another: only bones stay a little longer.
 */
function AfterBand({ shown, children }: { readonly shown: Shown; readonly children: ReactNode }): ReactNode {
  const drawn = useDeferredValue(shown.status);
  const before = useRef(children);
  const now = drawn === "progress" && shown.status === "result" ? before.current : children;
  useLayoutEffect(() => {
    before.current = now;
  });
  return now;
}

type Layout = "pending" | "good" | "bad";

/** The cards in their order: first what the visitor can add, or the limits of a good verdict, or what differs. */
const ORDERS: Readonly<Record<Layout, readonly string[]>> = {
  pending: ["name", "inputs", "side", "checks"],
  good: ["side", "checks", "inputs"],
  bad: ["compare", "checks", "side", "inputs"],
};
const REST = ["fingerprint", "details", "keys", "offline"];

/** While the result is being found out, it is the layout that the result probably has, so that nothing moves. */
function layoutOf(shown: Shown, { file, receipt }: Verification): Layout {
  const isPending = file.status === "none" && receipt === null;
  const tone = toneOf(shown);
  return isPending || tone === "info" ? "pending" : tone === "bad" ? "bad" : "good";
}

/** The public address of a proof; without a code that of the page. */
function addressOf(code: string | null, { public_url: base }: SiteFacts): string {
  return `${(base ?? location.origin).replace(/\/$/, "")}/verify${code === null ? "" : `/${code}`}`;
}

/** After each action of the visitor, what came of it is in view, and its heading takes the focus. */
function useFocusOnResult(shown: Shown) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isAwaited = useRef(false);
  const act = useCallback((action: () => void) => {
    action();
    // Not if it threw: then nothing came of it.
    isAwaited.current = true;
  }, []);
  const acting = (action: () => void) => () => act(action);
  useEffect(() => {
    if (!isAwaited.current) return;
    // The verdict is the first thing on the page.
    scrollTo({ top: 0 });
    if (shown.status === "progress") return;
    heading.current?.focus({ preventScroll: true });
    isAwaited.current = false;
  });
  return { heading, act, acting };
}
