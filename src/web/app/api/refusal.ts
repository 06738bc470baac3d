/** Why the service did not do what it was asked. */
export interface Refusal {
  /** One of the documented codes; `no_network` where nothing was answered. */
  readonly code: string;
  readonly message: string;
  readonly fields: readonly FieldRefusal[];
  /** How long to wait, where the service says so. */
  readonly seconds: number | null;
  readonly requestId: string | null;
}

export interface FieldRefusal {
  readonly field: string;
  readonly message: string;
}

export const NO_NETWORK: Refusal = { code: "no_network", message: "", fields: [], seconds: null, requestId: null };

/** The refusal in an answer of the REST API. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const seconds = Number(response.headers.get("retry-after")) || null;
  const requestId = response.headers.get("x-request-id");
  try {
    const { detail, fields = [] } = (await response.json()) as {
      readonly detail: { readonly code: string; readonly message: string };
      readonly fields?: Refusal["fields"];
    };
    return { code: detail.code, message: detail.message, fields, seconds, requestId };
  } catch {
    // A proxy answered.
    return { code: "unavailable", message: "", fields: [], seconds, requestId };
  }
}
