import { openAsBlob } from "node:fs";
import { z } from "zod";

/** The issuer that `npm start` makes for the demo organization. */
export const DEMO_ISSUER = {
  cnpj: "12345678000195",
  name: "Empresa de Demonstração Ltda",
  city_code: "3550308",
  simples: 1,
} as const;

/** Of the file of its certificate. It stands in the README of the service. */
export const DEMO_PASSWORD = "selo";

const issuer = z.object({ id: z.string(), cnpj: z.string(), certificate: z.unknown().nullable() });
const issuers = z.object({ items: z.array(issuer) });

/**
 * Makes the demo issuer of one environment over HTTP, as any caller would, where there was never an issuer. What a developer has made, changed or archived stays.
 * @param url address of the gateway
 * @param certificate the file of its certificate
 * @throws Error if the gateway refuses
 */
export async function addDemoIssuer(url: string, token: string, certificate: string): Promise<void> {
  const ask = async (method: string, path: string, body?: string | FormData): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/issuers${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === "string" && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body }),
    });
    if (!response.ok) throw new Error(`${method} /issuers${path} was answered with ${response.status}`);
    return response.json();
  };
  const inUse = issuers.parse(await ask("GET", `?search=${DEMO_ISSUER.cnpj}`)).items;
  // A start that was killed has left an issuer without its certificate.
  const unfinished = inUse.find(({ cnpj, certificate: own }) => cnpj === DEMO_ISSUER.cnpj && own === null);
  if (unfinished === undefined) {
    const any = await Promise.all(["?limit=1", "?limit=1&archived=true"].map((query) => ask("GET", query)));
    if (any.some((page) => issuers.parse(page).items.length > 0)) return;
  }
  const { id } = unfinished ?? issuer.parse(await ask("POST", "", JSON.stringify(DEMO_ISSUER)));
  const form = new FormData();
  form.set("password", DEMO_PASSWORD);
  form.set("file", await openAsBlob(certificate), "demo-a1.pfx");
  await ask("POST", `/${id}/certificate`, form);
}
