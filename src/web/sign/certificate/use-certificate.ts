import { useRef, useState } from "react";
import { completionOf } from "../reader/fields.ts";
import { type Certified, complete, presentCertificate, type Refusal, type Signing } from "../service.ts";
import type { Flow } from "../use-signing.ts";
import type { OwnCertificate } from "./open-file.ts";
import { signOne, toBase64 } from "./sign-digests.ts";
import { openApart } from "./thread.ts";
import type { CertificateFault } from "./words.ts";

/** What is wrong with a certificate or its file, with what the page says of it. */
export interface Wrong {
  readonly name: CertificateFault;
  /** Of the certificate that was chosen, masked. */
  readonly cpf?: string | null;
  readonly date?: Date;
}

/** A certificate that the service accepted, with its key. Only the memory of this page has it. */
interface Accepted {
  readonly own: OwnCertificate;
  readonly certified: Certified;
}

/** How often others may sign first before the page gives up. */
const MOST_TURNS = 5;

/** The certificate from its file to the signature: what is chosen, what is wrong, and what the page does. */
export function useCertificate(flow: Flow, signing: Signing) {
  const [file, setFile] = useState<File | null>(null);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [doing, setDoing] = useState<"reading" | "judging" | "signing" | null>(null);
  const [accepted, setAccepted] = useState<Accepted | null>(null);
  /** Whether somebody else signed first, and the page signs anew. */
  const [isAgain, setAgain] = useState(false);
  const abort = useRef<AbortController | null>(null);

  const choose = (chosen: File) => {
    setWrong(null);
    setFile(chosen);
  };

  /** Says what the service has against a certificate; the flow deals with what is no matter of the certificate. */
  const refuse = async (refusal: Refusal, own: OwnCertificate): Promise<void> => {
    const found = wrongOf(refusal, own);
    if (found === null) return flow.refuse(refusal);
    setAccepted(null);
    setWrong(found);
    flow.go("certificate", "replace");
  };

  const open = (password: string) =>
    flow.asking(async () => {
      if (file === null) return;
      const controller = new AbortController();
      const { signal } = controller;
      abort.current = controller;
      setWrong(null);
      setDoing("reading");
      try {
        const opened = await openApart(file, password, signal);
        if ("fault" in opened) return setWrong({ name: opened.fault });
        setDoing("judging");
        const presented = presentCertificate(flow.access(), opened.own.chain.map(toBase64));
        const answer = await Promise.race([presented, aborted(signal)]);
        if (!answer.ok) return await refuse(answer.refusal, opened.own);
        setAccepted({ own: opened.own, certified: answer.body });
        setFile(null);
        flow.go("act");
      } catch {
        if (!signal.aborted) setWrong({ name: "thread" });
      } finally {
        setDoing(null);
      }
    });

  const sign = () =>
    flow.asking(async () => {
      if (accepted === null) return;
      const { own } = accepted;
      let { certified } = accepted;
      setDoing("signing");
      try {
        const { cpf, values } = completionOf(signing.fields ?? [], flow.kept.values ?? {}, signing.participant.cpf);
        for (let turn = 0; turn < MOST_TURNS; turn++) {
          const signatures = [];
          for (const each of certified.to_sign)
            signatures.push({ document_id: each.document_id, signature: await signOne(each, own.key) });
          const answer = await complete(flow.access(), {
            consent_version: signing.consent.version,
            values,
            ...(cpf === undefined ? {} : { cpf }),
            signatures,
          });
          if (answer.ok) flow.setCertified(certified.certificate);
          if (answer.ok || answer.refusal.code !== "conflict") {
            await flow.conclude(withoutSignatures(answer));
            return;
          }
          // Somebody else signed first, or ten minutes are over. Where the request has ended, the next answer says so.
          setAgain(true);
          const presented = await presentCertificate(flow.access(), own.chain.map(toBase64));
          if (!presented.ok) return await refuse(presented.refusal, own);
          certified = presented.body;
        }
        await flow.refuse(UNAVAILABLE);
      } catch {
        await flow.refuse(UNAVAILABLE);
      } finally {
        setAgain(false);
        setDoing(null);
      }
    });

  return {
    file,
    choose,
    wrong,
    doing,
    certified: accepted?.certified ?? null,
    isAgain,
    open,
    sign,
    cancel: () => abort.current?.abort(),
    /** The participant takes another one. */
    change: () => {
      setAccepted(null);
      setWrong(null);
      flow.go("certificate", "replace");
    },
  };
}

export type CertificateFlow = ReturnType<typeof useCertificate>;

const UNAVAILABLE: Refusal = { code: "unavailable", fields: [], seconds: null, requestId: null };

/** A signature that the service does not accept is a fault of ours, and no field of the participant's. */
function withoutSignatures<Answer extends { readonly ok: boolean; readonly refusal?: Refusal }>(
  answer: Answer,
): Answer {
  const isOurs = answer.refusal?.fields.some(({ field }) => field.startsWith("signature")) === true;
  return isOurs ? { ...answer, refusal: { ...answer.refusal, code: "unavailable" } } : answer;
}

/** Reasons of the service, which begin the message of the field `certificate`. */
const REASONS: readonly CertificateFault[] = ["chain", "expired", "usage", "key", "cpf", "revoked"];

function wrongOf({ code, fields }: Refusal, { cpf, notBefore, notAfter }: OwnCertificate): Wrong | null {
  if (code === "revocation_unknown") return { name: "revocation_unknown" };
  if (code !== "certificate_refused") return null;
  const message = fields.find(({ field }) => field === "certificate")?.message ?? "";
  const name = REASONS.find((reason) => message.startsWith(reason)) ?? "chain";
  if (name === "expired" && notBefore > Date.now()) return { name: "not_yet", date: new Date(notBefore) };
  if (name === "expired") return { name, date: new Date(notAfter) };
  const [day] = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/.exec(message) ?? [];
  if (name === "revoked" && day !== undefined) return { name, date: new Date(day) };
  return { name, cpf };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
