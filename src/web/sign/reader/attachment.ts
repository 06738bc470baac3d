/** Why a file was not taken. */
export type AttachmentFault =
  | "large"
  | "type"
  | "active"
  | "encrypted"
  | "damaged"
  | "replaced"
  | "busy"
  | "no_network";

/** How a file is on its way. */
export interface Sending {
  readonly signal: AbortSignal;
  /** @param sent in bytes */
  readonly onProgress: (sent: number) => void;
}

/** Sends a file for a field. Null once it was taken, and where it was refused in another way. */
export type SendFile = (fieldId: string, file: File, sending: Sending) => Promise<AttachmentFault | null>;
