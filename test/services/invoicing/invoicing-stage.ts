// Customers, services and issuers, as tests of this service and of all services make them.
import type { TestGateway } from "../../support/gateway.ts";
import { call, type RestResponse } from "../../support/rest-client.ts";

export const CUSTOMER = { name: "Padaria Aurora Ltda", document_type: "cnpj", document: "11222333000181" } as const;

export const ADDRESS = {
  street: "Rua das Flores",
  number: "120",
  complement: "Sala 4",
  district: "Centro",
  city_code: "3550308",
  postal_code: "01001000",
} as const;

export const SERVICE = {
  name: "Consultoria",
  description: "Consultoria em tecnologia da informação",
  national_code: "010601",
  iss_rate: "5.00",
} as const;

export const ISSUER = {
  cnpj: "12345678000195",
  name: "Oficina de Software Ltda",
  city_code: "3550308",
  simples: 1,
} as const;

/** Who asks: by a token, or by the headers of a session. */
export type Caller = string | Readonly<Record<string, string>>;

/** What one caller asks of the service. */
export function invoicingCaller(selo: Pick<TestGateway, "baseUrl">, caller: Caller) {
  const ask = (method: string, path: string, body?: object): Promise<RestResponse> =>
    call(selo, method, path, {
      ...(typeof caller === "string" ? { token: caller } : { headers: caller }),
      ...(body ? { body } : {}),
    });
  const add = async (path: string, body: object) => {
    const answer = await ask("POST", path, body);
    if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  return {
    ask,
    addCustomer: (more: object = {}) => add("/customers", { ...CUSTOMER, ...more }),
    addService: (more: object = {}) => add("/services", { ...SERVICE, ...more }),
    addIssuer: (more: object = {}) => add("/issuers", { ...ISSUER, ...more }),
  };
}
