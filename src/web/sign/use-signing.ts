import { useCallback, useEffect, useRef, useState } from "react";
import { answerOtherTabs, askOtherTabs } from "./other-tab.ts";
import { type Ended, entryState, forget, type Kept, keep, type Person, type Place, type Step } from "./place.ts";
import type { AttachmentFault, SendFile } from "./reader/attachment.ts";
import type { Signature } from "./reader/drawing.ts";
import { type Values, withFiles } from "./reader/fields.ts";
import { sendFile } from "./send-file.ts";
import {
  type Access,
  type Answer,
  type Certified,
  complete,
  decline,
  delegate,
  type FactorAnswer,
  openSession,
  passFactor,
  type Refusal,
  readSigning,
  recordView,
  type Signing,
  type SigningDone,
  sendCode,
} from "./service.ts";
import type { FaultName, NoticeName } from "./words.ts";

/** What stands in place of the steps, or beside a button. */
export interface Trouble<Name> {
  readonly name: Name;
  /** Until when the service asks to wait, in milliseconds since 1970. */
  readonly until: number | null;
  readonly requestId: string | null;
  /** The title of the tab that has the request open. */
  readonly tab?: string;
}

export type Shown =
  | { readonly kind: "opening" }
  | { readonly kind: "step"; readonly step: Step }
  | { readonly kind: "fault"; readonly fault: Trouble<FaultName> }
  | { readonly kind: "ended"; readonly ended: Ended };

/** What the participant does with the last step. */
export interface Act {
  readonly signature: Signature | null;
  readonly values: Values;
  readonly cpf: string | null;
}

/** What the service found wrong with an act: `signature`, or the id of a field. */
export type ActFaults = readonly string[];

/** Why a code opened nothing. */
export type CodeFault = "wrong" | "used_up";

/** Steps that show documents, and need a session. */
const IN_SESSION: readonly Step[] = ["read", "fields", "certificate", "act", "copies", "delegate"];

const trouble = <const Name extends string>(name: Name, refusal?: Refusal): Trouble<Name> => ({
  name,
  until: refusal?.seconds == null ? null : Date.now() + refusal.seconds * 1_000,
  requestId: refusal?.requestId ?? null,
});

/** From when on the service sends codes again, in milliseconds since 1970; null where it has not refused one. */
export const codesAgainAt = (notice: Trouble<NoticeName> | null): number | null =>
  notice?.name === "codes_sent" || notice?.name === "sms_sent" ? notice.until : null;

/** Whether all have signed: then the link shows the copy. */
export const isCompleted = (signing: Signing): boolean => signing.status === "completed";

/** Whether the participant signs with a certificate of their own: then the link alone opens a session. */
export const isQualified = ({ participant }: Signing): boolean => participant.modality === "qualificada";

const FACTORS = ["cpf", "kba", "identity_match"] as const;
export type Factor = (typeof FACTORS)[number];

/** The second factor that the participant's sessions ask for; null where the code is enough. */
export const factorOf = ({ steps }: Signing): Factor | null => FACTORS.find((each) => steps.includes(each)) ?? null;

/** Why a second factor was not passed. `tries` are left. */
export type FactorFault = { readonly kind: "wrong"; readonly tries: number } | { readonly kind: "malformed" };

/** The step after the documents and their fields. */
export const afterFields = (signing: Signing): Step => (isQualified(signing) ? "certificate" : "act");

/** How many characters the service takes in a field; null where it refused something else. */
function mostOf(faults: Refusal["fields"], key: string): number | null {
  const message = faults.find(({ field }) => field === `values.${key}`)?.message ?? "";
  const [, most] = /^must have at most (\d+) characters/.exec(message) ?? [];
  return most === undefined ? null : Number(most);
}

/** As the service takes it, in bytes. */
const MOST_FILE_BYTES = 10 * 1_048_576;

/** Reasons of PDFs that cannot be read; the others name what is active in them. */
const UNREADABLE = ["not_pdf", "truncated", "no_pages", "too_many_pages"];

/** Why a file was not taken; null for what is not the fault of the file. */
function attachmentFault({ code, reason }: Refusal): AttachmentFault | null {
  switch (code) {
    case "too_large":
      return "large";
    case "invalid_request":
      return "type";
    case "unprocessable_pdf":
      if (reason === "encrypted") return "encrypted";
      return reason !== undefined && UNREADABLE.includes(reason) ? "damaged" : "active";
    case "unavailable":
      return "busy";
    case "no_network":
      return "no_network";
    default:
      return null;
  }
}

/** The flow of the signing page: what is shown, what this tab keeps, and what participants do. */
export function useSigning(place: Place | null) {
  const [shown, setShown] = useState<Shown>({ kind: "opening" });
  const [signing, setSigning] = useState<Signing | null>(null);
  const [kept, setKept] = useState<Kept>(place?.kept ?? { secret: null });
  const [notice, setNotice] = useState<Trouble<NoticeName> | null>(null);
  const [busy, setBusy] = useState(false);
  /** What the service refused, by the ids of fields, and `cpf`: how many characters fit, where that is why. */
  const [refused, setRefused] = useState<ReadonlyMap<string, number | null>>(new Map());
  /** The certificate that signed. Only the page that stands knows it. */
  const [certified, setCertified] = useState<Certified["certificate"] | null>(null);
  /** Who took the turn over. Only the page that stands knows it. */
  const [handed, setHanded] = useState<Person | null>(null);
  // What is true now, for what goes on after an answer.
  const now = useRef({ kept, signing, shown, isBusy: false });
  const participantId = place?.participantId ?? "";

  const show = useCallback((next: Shown) => {
    now.current.shown = next;
    setShown(next);
  }, []);
  const replace = useCallback(
    (next: Kept) => {
      now.current.kept = next;
      setKept(next);
      // At the end nothing is kept.
      if (now.current.shown.kind !== "ended") keep(participantId, next);
    },
    [participantId],
  );
  const update = useCallback((change: Partial<Kept>) => replace({ ...now.current.kept, ...change }), [replace]);
  const learn = useCallback(
    (next: Signing) => {
      now.current.signing = next;
      setSigning(next);
      if (next.fields?.some(({ type }) => type === "anexo") === true)
        update({ values: withFiles(next.fields, now.current.kept.values ?? {}) });
    },
    [update],
  );
  const access = useCallback((): Access => {
    const { secret, token } = now.current.kept;
    return { participantId, secret: secret ?? "", token };
  }, [participantId]);

  /** Shows a step. The way back leads to the step before, unless this one takes its place. */
  const go = useCallback(
    (step: Step, how: "push" | "replace" = "push") => {
      if (how === "push") history.pushState({ step }, "");
      else history.replaceState({ step }, "");
      update({ step });
      setNotice(null);
      show({ kind: "step", step });
    },
    [show, update],
  );
  const fail = useCallback(
    (name: FaultName, refusal?: Refusal) => show({ kind: "fault", fault: trouble(name, refusal) }),
    [show],
  );
  const end = useCallback(
    (ended: Ended) => {
      forget(participantId);
      history.replaceState({ ended }, "");
      show({ kind: "ended", ended });
    },
    [participantId, show],
  );

  /** The session is over. What was typed stays, and after the code one is back where one was. */
  const signInAgain = useCallback(() => {
    const { step, next } = now.current.kept;
    update({
      token: undefined,
      code: undefined,
      needsFactor: undefined,
      next: step !== undefined && IN_SESSION.includes(step) ? step : next,
    });
    const needsNoCode = now.current.signing !== null && isQualified(now.current.signing);
    go(needsNoCode ? "request" : "code", "replace");
    setNotice(trouble(needsNoCode ? "session_over" : "session_expired"));
  }, [go, update]);

  /** Shows where a participant stands. */
  const settle = useCallback(
    (read: Signing) => {
      learn(read);
      update({ isKnown: true });
      const { kept: here } = now.current;
      const { step = here.step ?? "request" } = entryState();
      const fault = faultOf(read);
      if ((fault !== null && fault !== "not_yet") || isCompleted(read)) {
        // The answer of the last act may have been lost, and what was typed is of no use any more. The link still shows how it ended.
        const {
          values: _values,
          field: _field,
          signature: _signature,
          reason: _reason,
          other: _other,
          ...others
        } = here;
        replace(others);
      }
      if (fault !== null) return fail(fault);
      if (here.token !== undefined && read.documents === null)
        return here.needsFactor === true ? go(step === "request" ? step : "factor", "replace") : signInAgain();
      if (here.needsFactor === true) update({ needsFactor: undefined });
      go(reachable(step, here, read), "replace");
    },
    [fail, go, learn, replace, signInAgain, update],
  );

  const open = useCallback(async () => {
    setNotice(null);
    if (place === null) return;
    if (!isAble()) return fail("browser");
    if (place.ended !== null) return show({ kind: "ended", ended: place.ended });
    if (now.current.kept.secret === null) {
      const other = await askOtherTabs(participantId);
      if (other.kind !== "here") return fail(other.kind === "replaced" ? "replaced" : "link");
      return show({ kind: "fault", fault: { ...trouble("other_tab"), tab: other.title } });
    }
    const answer = await readSigning(access());
    if (answer.ok) settle(answer.body);
    else if (answer.refusal.code === "not_found") fail(now.current.kept.isKnown === true ? "replaced" : "link");
    else fail(wideFault(answer.refusal), answer.refusal);
  }, [access, fail, participantId, place, settle, show]);

  /** What was refused in the middle of a step. True if the refusal was dealt with; false for what the step itself says. */
  const refuse = useCallback(
    async (refusal: Refusal): Promise<void> => {
      const isForCopies = now.current.signing !== null && isCompleted(now.current.signing);
      switch (refusal.code) {
        case "not_found":
          // A file may be gone. Whether the link is, the link itself says.
          await open();
          return now.current.shown.kind === "step" ? setNotice(trouble("unavailable", refusal)) : undefined;
        case "link_locked":
          return fail("locked");
        case "session_expired":
          return signInAgain();
        case "factor_required":
          update({ needsFactor: true });
          return go("factor", "replace");
        case "conflict":
        case "not_your_turn":
        case "gone":
          // Somebody acted meanwhile: in another tab, or another participant.
          return isForCopies ? fail("copies_over") : open();
        case "no_network":
        case "rate_limited":
          return setNotice(trouble(refusal.code, refusal));
        default:
          return setNotice(trouble("unavailable", refusal));
      }
    },
    [fail, go, open, signInAgain, update],
  );

  /** Asks the service, one question at a time: a second touch does nothing. */
  const asking = useCallback(async <Result>(ask: () => Promise<Result>): Promise<Result | null> => {
    if (now.current.isBusy) return null;
    now.current.isBusy = true;
    setBusy(true);
    setNotice(null);
    try {
      return await ask();
    } finally {
      now.current.isBusy = false;
      setBusy(false);
    }
  }, []);

  const askForCode = () =>
    asking(async () => {
      const answer = await sendCode(access());
      if (!answer.ok) {
        const { code, seconds } = answer.refusal;
        // The limit of an address lasts a minute at most, that of codes an hour.
        const isOfCodes = code === "rate_limited" && (seconds ?? 0) > 60;
        if (!isOfCodes) return refuse(answer.refusal);
        return setNotice(trouble((seconds ?? 0) > 3_600 ? "sms_sent" : "codes_sent", answer.refusal));
      }
      update({ code: { ...answer.body, sentAt: Date.now() } });
      const { shown: before } = now.current;
      go("code", before.kind === "step" && before.step === "code" ? "replace" : "push");
    });

  const giveCode = (typed: string): Promise<CodeFault | null> =>
    asking<CodeFault | null>(async () => {
      const answer = await openSession(access(), typed);
      if (!answer.ok) {
        if (answer.refusal.code !== "wrong_code") return refuse(answer.refusal).then(() => null);
        const { code } = now.current.kept;
        if (code === undefined) return "used_up";
        const tries_left = Math.max(0, code.tries_left - 1);
        update({ code: { ...code, tries_left } });
        return tries_left === 0 || Date.now() > Date.parse(code.expires_at) ? "used_up" : "wrong";
      }
      const { next } = now.current.kept;
      const needsFactor = answer.body.next !== null;
      const step = needsFactor ? "factor" : (next ?? "read");
      update({
        token: answer.body.token,
        signedInAt: Date.now(),
        code: undefined,
        needsFactor,
        next: needsFactor ? next : undefined,
        step,
      });
      // The step of the code is behind: the way back leads to the request.
      history.replaceState({ step }, "");
      await open();
      return null;
    });

  const giveFactor = (given: FactorAnswer): Promise<FactorFault | null> =>
    asking<FactorFault | null>(async () => {
      const answer = await passFactor(access(), given);
      if (!answer.ok) {
        const { code, triesLeft: tries = 0 } = answer.refusal;
        if (code === "invalid_request") return { kind: "malformed" };
        if (code !== "wrong_answer") return refuse(answer.refusal).then(() => null);
        if (tries > 0) return { kind: "wrong", tries };
        const { signing: read } = now.current;
        fail(read !== null && factorOf(read) === "identity_match" ? "unconfirmed" : "locked");
        return null;
      }
      const { next } = now.current.kept;
      update({ needsFactor: undefined, next: undefined, step: next ?? "read" });
      history.replaceState({ step: next ?? "read" }, "");
      await open();
      return null;
    });

  /** Opens a session by the link alone; false if the service refused. */
  const startSession = () =>
    asking<boolean>(async () => {
      const answer = await openSession(access(), null);
      if (!answer.ok) return refuse(answer.refusal).then(() => false);
      const { next } = now.current.kept;
      update({ token: answer.body.token, next: undefined, step: next ?? "read" });
      // The way back leads to the request.
      history.pushState({ step: next ?? "read" }, "");
      await open();
      return true;
    });

  /** Deals with what an act came to. */
  const conclude = async (answer: Answer<SigningDone>): Promise<ActFaults | null> => {
    if (answer.ok) {
      const { status, completed_at, consent_version } = answer.body;
      end({ status, at: completed_at, consent: consent_version });
      return null;
    }
    const { code, fields } = answer.refusal;
    if (code !== "invalid_request") return refuse(answer.refusal).then(() => null);
    if (fields.some(({ field }) => field === "consent_version")) {
      await open();
      setNotice(trouble("consent_changed"));
      return null;
    }
    const wrong = fields.map(({ field }) => field.replace(/^values\./, ""));
    const ofFields = wrong.filter((each) => each !== "signature");
    const [first] = ofFields;
    setRefused(new Map(ofFields.map((key) => [key, mostOf(fields, key)])));
    if (first !== undefined) {
      const isFirst = ({ id, type }: { readonly id: string; readonly type: string }) => id === first || type === first;
      update({ field: now.current.signing?.fields?.find(isFirst)?.id });
      go("fields");
    }
    return wrong;
  };

  const act = ({ signature, values, cpf }: Act): Promise<ActFaults | null> =>
    asking<ActFaults | null>(async () => {
      const version = now.current.signing?.consent.version ?? "";
      const answer = await complete(access(), {
        consent_version: version,
        ...(signature === null ? {} : { signature }),
        values,
        ...(cpf === null ? {} : { cpf }),
      });
      return conclude(answer);
    });

  /** Sends the file of a field. */
  const deliver: SendFile = async (fieldId, file, sending) => {
    if (file.size > MOST_FILE_BYTES) return "large";
    const answer = await sendFile(access(), fieldId, file, sending);
    const { signing: read } = now.current;
    if (answer.ok && read !== null) {
      const { filename, size } = answer.body;
      const fields = read.fields?.map((field) =>
        field.id === fieldId ? { ...field, attachment: { filename, size } } : field,
      );
      learn({ ...read, fields: fields ?? null });
      setRefused((before) => new Map([...before].filter(([each]) => each !== fieldId)));
      return null;
    }
    if (answer.ok || sending.signal.aborted) return null;
    const fault = attachmentFault(answer.refusal);
    if (fault !== null) return fault;
    await refuse(answer.refusal);
    // The request is as it was, so the conflict is about the file: it was replaced as often as it may be.
    return answer.refusal.code === "conflict" && now.current.shown.kind === "step" ? "replaced" : null;
  };

  const turnDown = (reason: string) =>
    asking(async () => {
      const answer = await decline(access(), reason);
      if (answer.ok) return end({ status: answer.body.status, at: answer.body.completed_at });
      return refuse(answer.refusal);
    });

  /** Hands the turn to somebody else; what the service finds wrong with the person. */
  const handOn = (person: Person): Promise<Refusal["fields"] | null> =>
    asking<Refusal["fields"] | null>(async () => {
      const answer = await delegate(access(), person);
      if (answer.ok) {
        setHanded(person);
        end({ status: "delegated", at: answer.at ?? null });
        return null;
      }
      if (answer.refusal.code === "invalid_request") return answer.refusal.fields;
      return refuse(answer.refusal).then(() => null);
    });

  /** Leads to the page that passes the turn on, after a code where nobody has signed in. */
  const beginHandingOn = (): void => {
    const { token } = now.current.kept;
    if (token !== undefined && now.current.signing?.documents != null) go("delegate");
    else {
      update({ next: "delegate" });
      void askForCode();
    }
  };

  /** The documents are shown for the first time. */
  const view = useCallback(async () => {
    const answer = await recordView(access());
    // The request may have ended meanwhile.
    if (!answer.ok && now.current.shown.kind !== "ended") await refuse(answer.refusal);
  }, [access, refuse]);

  /** Hands out what the service answered, and deals with what it refused. */
  const taken = useCallback(
    async <Body>(question: Promise<Answer<Body>>): Promise<Body | null> => {
      const answer = await question;
      if (answer.ok) return answer.body;
      // After the end there is no step to go back to.
      if (now.current.shown.kind !== "ended") await refuse(answer.refusal);
      return null;
    },
    [refuse],
  );

  // The page opens once.
  const hasOpened = useRef(false);
  useEffect(() => {
    if (hasOpened.current || place === null) return;
    hasOpened.current = true;
    void open();
  }, [open, place]);

  useEffect(() => {
    const onWayBack = () => {
      const { shown: before, kept: here, signing: read } = now.current;
      // No way back, but another link: see onLink.
      if (location.hash !== "") return;
      if (before.kind === "ended") return history.replaceState({ ended: before.ended }, "");
      if (before.kind !== "step" || read === null) return;
      const { step = "request" } = entryState();
      const to = reachable(step, here, read);
      if (to !== step) history.replaceState({ step: to }, "");
      update({ step: to });
      setNotice(null);
      show({ kind: "step", step: to });
    };
    // A newer link, opened in this tab, changes the address without loading the page.
    const onLink = () => {
      if (location.hash !== "") location.reload();
    };
    addEventListener("popstate", onWayBack);
    addEventListener("hashchange", onLink);
    return () => {
      removeEventListener("popstate", onWayBack);
      removeEventListener("hashchange", onLink);
    };
  }, [show, update]);

  /** Whether the link of this tab still opens the request. Without an answer of the service nothing says that it does not. */
  const isGood = useCallback(async (): Promise<boolean> => {
    const answer = await readSigning(access());
    if (answer.ok || answer.refusal.code !== "not_found") return true;
    fail("replaced");
    return false;
  }, [access, fail]);
  const isOpen = kept.secret !== null && shown.kind === "step";
  useEffect(() => (isOpen ? answerOtherTabs(participantId, isGood) : undefined), [isGood, isOpen, participantId]);

  const isOffline = shown.kind === "fault" && shown.fault.name === "no_network";
  useEffect(() => {
    if (!isOffline) return;
    const again = () => void open();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [isOffline, open]);

  return {
    shown,
    signing,
    kept,
    notice,
    isBusy: busy,
    access,
    update,
    go,
    open,
    askForCode,
    giveCode,
    giveFactor,
    startSession,
    act,
    deliver,
    /** For the steps of a certificate, which are loaded when they are needed. */
    asking,
    refuse,
    conclude,
    certified,
    setCertified,
    turnDown,
    beginHandingOn,
    handOn,
    handed,
    refused,
    /** Refused values are changed. */
    accept: (...keys: readonly string[]) => setRefused(new Map([...refused].filter(([each]) => !keys.includes(each)))),
    view,
    taken,
  };
}

export type Flow = ReturnType<typeof useSigning>;

/** The page in place of the steps; null where the steps may be shown. */
function faultOf({ status, turn, participant }: Signing): FaultName | null {
  if (status === "completed") return null;
  switch (turn) {
    case "yes":
      return null;
    case "not_yet":
      return "not_yet";
    case "done":
      return participant.status === "declined" ? "declined_by_you" : "done";
    default:
      return status === "cancelled" || status === "declined" || status === "failed" ? status : "expired";
  }
}

/** The step, or the one before it that comes first. */
function reachable(step: Step, { token, code, hasRead, needsFactor }: Kept, read: Signing): Step {
  const isSignedIn = token !== undefined && read.documents !== null;
  if (token !== undefined && !isSignedIn && needsFactor === true && step !== "request") return "factor";
  if (isCompleted(read))
    return isSignedIn && step !== "request" ? "copies" : step === "code" && code ? "code" : "request";
  if (!isSignedIn) return step === "code" && code !== undefined ? "code" : "request";
  if (step === "request" || (step === "delegate" && read.delegation !== null)) return step;
  if (
    step === "code" ||
    step === "factor" ||
    step === "copies" ||
    step === "delegate" ||
    hasRead !== true ||
    read.participant.role === "observador"
  )
    return "read";
  if (step === "certificate" || (step === "fields" && read.fields?.length === 0)) return afterFields(read);
  return step;
}

function wideFault({ code }: Refusal): FaultName {
  return code === "no_network" || code === "rate_limited" ? code : "unavailable";
}

/** What this page is made with, and what old browsers do not have. */
function isAble(): boolean {
  return (
    typeof globalThis.crypto?.getRandomValues === "function" &&
    typeof globalThis.AbortSignal?.timeout === "function" &&
    typeof globalThis.HTMLDialogElement?.prototype.showModal === "function" &&
    typeof Array.prototype.at === "function"
  );
}
