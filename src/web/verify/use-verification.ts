import { useEffect, useMemo, useRef, useState } from "react";
import type { Evidence } from "../../verifier/evidence.ts";
import { type PlatformKey, readKeys } from "../../verifier/keys.ts";
import type { HashedFile } from "../../verifier/verify-with.ts";
import { canonicalCode } from "../shell/code-form.tsx";
import { assess, type Findings } from "./assess.ts";
import { useCodeInAddress } from "./code-in-address.ts";
import { recognize } from "./documents.ts";
import type { EnvelopeGiven, Report } from "./envelope/findings.ts";
import type { Lookup, Query } from "./service.ts";
import { useSignatureChecks } from "./signatures.ts";
import { hashApart } from "./thread.ts";
import { forgetKeys, type RememberedKeys, rememberedKeys, rememberKeys } from "./trusted-keys.ts";
import { useLookup, usePublishedKeys } from "./use-answers.ts";

/** The state of the file to compare with the proof. */
export type FileState =
  | { readonly status: "none" }
  | { readonly status: "hashing"; readonly name: string; readonly size: number; readonly bytes: number }
  | { readonly status: "hashed"; readonly file: HashedFile }
  | { readonly status: "unreadable"; readonly name: string };

export interface ReadingState {
  readonly name: string;
  readonly size: number;
  readonly bytes: number;
}

export interface Receipt {
  readonly name: string;
  readonly evidence: Evidence;
  /** False for evidence as JSON. */
  readonly isPdf: boolean;
}

/** A notice about dropped files, beside the checks. */
export type Notice = "one_file_at_a_time" | "pdf_not_searched" | "zip_not_read";

export interface Verification {
  readonly code: string | null;
  /** True until the code in the address is known. */
  readonly isOpening: boolean;
  readonly lookup: Lookup;
  readonly file: FileState;
  /** The file's name at registration, as the visitor entered it. */
  readonly typedName: string | null;
  readonly receipt: Receipt | null;
  readonly published: readonly PlatformKey[] | null;
  readonly pasted: readonly PlatformKey[];
  readonly remembered: RememberedKeys | null;
  readonly notice: Notice | null;
  /** True while dropped files are being recognized. */
  readonly isReading: boolean;
  /** The dossier that is being read, and how far. */
  readonly reading: ReadingState | null;
  /** True if what checks signatures is needed and could not be loaded. */
  readonly isCheckMissing: boolean;
  /** Null while there is nothing to check, or while a part that matters is still under way. */
  readonly findings: Findings | null;
  /** The same of an envelope, in place of a proof; null for a proof, and while a part that matters is under way. */
  readonly envelope: EnvelopeGiven | null;
  readonly report: Report | null;
  /** When the findings were computed. */
  readonly checkedAt: Date;
  /** Counts how often the visitor asked the service again. */
  readonly attempt: number;
  setCode(code: string): void;
  add(files: readonly File[]): void;
  removeFile(): void;
  /** Ends the reading of dropped files. What was there before stays. */
  cancelReading(): void;
  removeReceipt(): void;
  nameFile(name: string): void;
  retry(): void;
  /** Forgets the code and the receipt, and looks for proofs of the file. */
  searchFile(): void;
  /** Forgets the receipt, and looks up the code that was asked for, else that of the receipt. */
  checkByCode(): void;
  /** Forgets the code that was asked for; the receipt has its own. */
  checkReceipt(): void;
  /** Forgets the code, the file and the receipt, but not the keys. */
  startOver(): void;
  /** @throws UnreadableError */
  paste(text: string): void;
  removePasted(): void;
  /** Trusts the published keys from now on. Returns false if this browser keeps nothing for pages. */
  remember(): boolean;
  forget(): void;
}

const NO_FILE: FileState = { status: "none" };

/** The state of a verification: the visitor's files, the service's record, keys, and the checks computed from them. */
export function useVerification(isByCode: boolean): Verification {
  const { code, setCode, isOpening } = useCodeInAddress(isByCode);
  const [file, setFile] = useState<FileState>(NO_FILE);
  const [typedName, setTypedName] = useState<string | null>(null);
  const [receipt, setReceipt] = useState<Receipt | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const [pasted, setPasted] = useState<readonly PlatformKey[]>([]);
  const [remembered, setRemembered] = useState<RememberedKeys | null>(null);
  // Not at the first render, which must equal what the build rendered.
  useEffect(() => setRemembered(rememberedKeys()), []);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isReading, setReading] = useState(false);
  const [reading, setReadingState] = useState<ReadingState | null>(null);
  const [attempt, setAttempt] = useState(0);
  const hashing = useRef(new AbortController());
  const session = useRef(new AbortController());
  // Drops are handled one after the other, in order.
  const drops = useRef(Promise.resolve());

  const hashed = file.status === "hashed" ? file.file : null;
  const query = queryFor(code, receipt, report, hashed);
  const lookup = useLookup(query, attempt);
  const published = usePublishedKeys(query !== null || receipt !== null || report !== null, attempt);
  const trusted = useMemo(() => [...pasted, ...(remembered?.keys ?? [])], [pasted, remembered]);
  const signatures = useSignatureChecks(report !== null || mayBeWhole(lookup, receipt, hashed), attempt);
  const isSettled = lookup.status !== "loading" && published !== "loading" && typeof signatures !== "string";
  const { findings, checkedAt } = useMemo(() => {
    const at = new Date();
    if (!isSettled) return { findings: null, checkedAt: at };
    const named = hashed !== null && typedName !== null ? { ...hashed, name: typedName } : hashed;
    const found = assess({
      code,
      lookup,
      receipt: receipt?.evidence ?? null,
      isInPdf: receipt?.isPdf ?? false,
      file: named,
      published,
      trusted,
      signatures,
    });
    return { findings: found, checkedAt: at };
  }, [code, lookup, receipt, hashed, typedName, published, trusted, signatures, isSettled]);

  const isOfEnvelope = report !== null || (lookup.status === "envelope" && receipt === null);
  const envelope = useMemo((): EnvelopeGiven | null => {
    if (!isOfEnvelope || lookup.status === "loading" || published === "loading" || typeof signatures === "string")
      return null;
    const answer = lookup.status === "envelope" ? lookup.text : null;
    const isUnknown = lookup.status === "unknown" || lookup.status === "found";
    return { answer, isUnknown, report, file: hashed, published, trusted, signatures };
  }, [isOfEnvelope, lookup, report, hashed, published, trusted, signatures]);

  const hash = async (chosen: File) => {
    const { signal } = renew(hashing);
    const show = (state: FileState) => {
      if (!signal.aborted) setFile(state);
    };
    const { name, size } = chosen;
    setTypedName(null);
    show({ status: "hashing", name, size, bytes: 0 });
    try {
      const sha256 = await hashApart(chosen, signal, (bytes) => show({ status: "hashing", name, size, bytes }));
      show({ status: "hashed", file: { sha256, name, size } });
    } catch {
      show({ status: "unreadable", name });
    }
  };
  const endReading = () => {
    setReading(false);
    setReadingState(null);
  };
  const take = async (files: readonly File[], signal: AbortSignal) => {
    setReading(true);
    const onBytes = ({ name, size }: File, bytes: number) => {
      if (!signal.aborted) setReadingState({ name, size, bytes });
    };
    const documents = await Promise.all(files.map((file) => recognize(file, { signal, onBytes })));
    if (signal.aborted) return;
    endReading();
    documents.forEach((document, index) => {
      const name = files[index]?.name ?? "";
      // What came last is what the visitor asks about.
      if (document.kind === "evidence") {
        setReceipt({ name, evidence: document.evidence, isPdf: document.isPdf });
        setReport(null);
      } else if (document.kind === "report") {
        const { evidence, isPdf, files: ofDossier, endCode = null } = document;
        setReport({ name, evidence, isPdf, ...(ofDossier === undefined ? {} : { files: ofDossier, endCode }) });
        setReceipt(null);
      }
    });
    const plain = files.filter((_, index) => !["evidence", "report"].includes(documents[index]?.kind ?? ""));
    const unsearched = documents.some(({ kind }) => kind === "unsearched");
    const isZipUnread = documents.some(({ kind }) => kind === "unread_zip");
    const unread = isZipUnread ? "zip_not_read" : unsearched ? "pdf_not_searched" : null;
    setNotice(plain.length > 1 ? "one_file_at_a_time" : unread);
    // Not awaited, so that a receipt can be added while a large file is being hashed.
    if (plain[0] !== undefined) void hash(plain[0]);
  };
  const removeFile = () => {
    renew(hashing);
    setFile(NO_FILE);
    setNotice(null);
  };

  return {
    code,
    isOpening,
    lookup,
    file,
    typedName,
    receipt,
    published: published === "loading" ? null : published,
    pasted,
    remembered,
    notice,
    isReading,
    reading,
    isCheckMissing: signatures === "missing",
    findings: report === null ? findings : null,
    envelope,
    report,
    checkedAt,
    attempt,
    setCode,
    add: (files) => {
      const { signal } = session.current;
      // At once, so that the page never shows the result of before as that of these files.
      setReading(true);
      drops.current = drops.current.then(() => (signal.aborted ? undefined : take(files, signal)));
    },
    removeFile,
    cancelReading: () => {
      renew(session);
      endReading();
    },
    removeReceipt: () => {
      setReceipt(null);
      setReport(null);
    },
    nameFile: setTypedName,
    retry: () => setAttempt(attempt + 1),
    searchFile: () => {
      setReceipt(null);
      setReport(null);
      if (code !== null) setCode(null);
    },
    checkByCode: () => {
      const own = codeOfReceipt(receipt);
      setReceipt(null);
      if (code === null && own !== null) setCode(own);
    },
    checkReceipt: () => setCode(null),
    startOver: () => {
      renew(session);
      endReading();
      removeFile();
      setReceipt(null);
      setReport(null);
      if (code !== null) setCode(null);
    },
    paste: (text) => {
      const keys = readKeys(text);
      setPasted([...pasted.filter(({ keyId }) => !keys.some((key) => key.keyId === keyId)), ...keys]);
    },
    removePasted: () => setPasted([]),
    remember: () => {
      const kept = published === "loading" || published === null ? null : rememberKeys(published, new Date());
      if (kept !== null) setRemembered(kept);
      return kept !== null;
    },
    forget: () => {
      forgetKeys();
      setRemembered(null);
    },
  };
}

/** Ends the work under way; new work gets its own signal. */
function renew(controller: { current: AbortController }): AbortController {
  controller.current.abort();
  controller.current = new AbortController();
  return controller.current;
}

/** Asks for the entered code, else for the code of the receipt or the report, else for the file's digest. */
function queryFor(
  code: string | null,
  receipt: Receipt | null,
  report: Report | null,
  file: HashedFile | null,
): Query | null {
  const known = code ?? codeOfReceipt(receipt) ?? codeOfReport(report);
  if (known !== null) return { code: known };
  return receipt === null && report === null && file !== null ? { sha256: file.sha256 } : null;
}

function codeOfReport(report: Report | null): string | null {
  if (report === null) return null;
  const { completion, records } = report.evidence;
  const signed = completion ?? records?.[0]?.evidence;
  // Of an envelope that nobody signed, the sealed events say the code.
  const written = signed?.members["verification_code"] ?? report.endCode;
  return typeof written === "string" ? canonicalCode(written) : null;
}

/** Whether the signed text is known, or will be with the name and the size of the file: the public record leaves these two out. */
function mayBeWhole(lookup: Lookup, receipt: Receipt | null, file: HashedFile | null): boolean {
  const isRecordWhole = lookup.status === "found" && lookup.record.evidence.payload !== null;
  return isRecordWhole || lookup.status === "envelope" || receipt !== null || file !== null;
}

function codeOfReceipt(receipt: Receipt | null): string | null {
  const written = receipt?.evidence.members["verification_code"];
  return typeof written === "string" ? canonicalCode(written) : null;
}
