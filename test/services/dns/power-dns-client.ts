// Requests as clients of PowerDNS send them.
import type { TestGateway } from "../../support/gateway.ts";
import { call, type RestRequest, type RestResponse } from "../../support/rest-client.ts";

const ZONES = "/api/v1/servers/localhost/zones";

export class PowerDnsClient {
  readonly #selo: Pick<TestGateway, "baseUrl">;
  readonly key: string;

  constructor(selo: Pick<TestGateway, "baseUrl">, key: string) {
    this.#selo = selo;
    this.key = key;
  }

  /** A request to a whole path. */
  ask(method: string, path: string, body?: object | string, request: RestRequest = {}): Promise<RestResponse> {
    return call(this.#selo, method, path, {
      prefix: "",
      body,
      ...request,
      headers: { "x-api-key": this.key, ...request.headers },
    });
  }

  zones(query = ""): Promise<RestResponse> {
    return this.ask("GET", `${ZONES}${query}`);
  }

  /** Reads a zone by its name, which has no final dot. */
  zone(name: string, query = ""): Promise<RestResponse> {
    return this.ask("GET", `${ZONES}/${name}.${query}`);
  }

  create(zone: object): Promise<RestResponse> {
    return this.ask("POST", ZONES, zone);
  }

  patch(name: string, rrsets: readonly object[], more: object = {}): Promise<RestResponse> {
    return this.ask("PATCH", `${ZONES}/${name}.`, { rrsets, ...more });
  }

  delete(name: string): Promise<RestResponse> {
    return this.ask("DELETE", `${ZONES}/${name}.`);
  }
}
