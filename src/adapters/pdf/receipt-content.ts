/** The content of a receipt. */
export interface ReceiptContent {
  readonly language: "pt-BR" | "en";
  readonly isTest: boolean;
  /** Who runs the deployment; null for what is not to be shown. */
  readonly operator: { readonly name: string | null; readonly details: string | null };
  readonly organization: string;
  readonly label: string | null;
  readonly fileName: string | null;
  /** Bytes. */
  readonly fileSize: number | null;
  readonly sha256: string;
  /** UTC, with microseconds: 2026-11-20T12:34:56.123456Z. */
  readonly registeredAt: string;
  /** The same instant as a clock in `timeZone` shows it, without an offset. */
  readonly localTime: string;
  /** Offset of that zone at that instant, such as -03:00. */
  readonly utcOffset: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly verificationCode: string;
  readonly verifyUrl: string;
  readonly keyIds: readonly string[];
  /** The signed text. */
  readonly payload: string;
  /** The attachment evidence.json. */
  readonly evidence: Uint8Array;
}
