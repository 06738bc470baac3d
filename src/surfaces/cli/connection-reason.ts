/** Why a connection failed, in a few words. */
export function connectionReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ECONNREFUSED") return "connection refused";
  return message || code || String(error);
}
