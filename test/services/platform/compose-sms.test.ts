// The SMS of a code: one message of the GSM alphabet, whatever names stand in it, and a last line by which telephones propose the code.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gsmLength, gsmText } from "../../../src/adapters/sms/gsm-text.ts";
import { composeSms } from "../../../src/services/platform/mails/compose-sms.ts";
import { LANGUAGES, NO_OPERATOR, productMails } from "../../support/sample-mails.ts";

const CODE = "049213";
const NUMBER = "+5511987654321";

interface Given {
  readonly language?: (typeof LANGUAGES)[number];
  readonly organization?: string;
  readonly publicUrl?: string;
  readonly timeZone?: string;
  readonly kind?: string;
}

function compose({
  language = "pt-BR",
  organization = "Acme Ltda",
  publicUrl = "https://selo.example",
  timeZone = "America/Sao_Paulo",
  kind = "signing_code",
}: Given = {}) {
  const ids = {
    participant_id: "0197a0c0-0000-7000-8000-000000000001",
    code_id: "0197a0c0-0000-7000-8000-000000000002",
  };
  const at = "2026-11-21T22:23:45.000000Z";
  return composeSms(
    {
      recipient: "+55*********21",
      language,
      created_at: at,
      kind,
      data: { ...ids, channel: "sms", organization, time_zone: timeZone, contact: null, environment: "live", at },
    },
    {
      id: "0197a0c0-0000-7000-8000-000000000000",
      site: { publicUrl, operator: NO_OPERATOR },
      kinds: productMails,
      prepared: { code: CODE, title: "Contrato", expires_at: new Date("2026-11-21T22:33:45Z"), phone: NUMBER },
    },
  );
}

test("says code, organization and time, to the number, in the language of the envelope", () => {
  expect(compose()).toEqual({
    id: "0197a0c0-0000-7000-8000-000000000000",
    to: NUMBER,
    text: "049213 é o seu codigo para o documento de Acme Ltda. Vale até 19:33. Nao o passe a ninguém.\n\n@selo.example #049213",
    date: new Date("2026-11-21T22:23:45Z"),
    code: CODE,
  });
  expect(compose({ language: "en", timeZone: "UTC" }).text).toBe(
    "049213 is your code for the document of Acme Ltda. Good until 22:33 UTC. Share it with nobody.\n\n@selo.example #049213",
  );
});

const LONGEST = [
  "Imobiliária São João ".repeat(12),
  "[".repeat(255),
  "€".repeat(255),
  "株".repeat(255),
  "👩‍👩‍👧".repeat(50),
  "x",
];
const HOSTS = ["https://selo.example", `https://${"h".repeat(27)}.example.com.br`, `https://${"h".repeat(60)}.example`];

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(LONGEST)("one message with the name %s at each host", (organization) => {
    for (const publicUrl of HOSTS) {
      const { text } = compose({ language, organization, publicUrl });
      expect(gsmLength(text)).toBeLessThanOrEqual(160);
      expect(gsmText(text)).toBe(text);
      expect(text.startsWith(`${CODE} `)).toBe(true);
    }
    // What Android reads.
    expect(gsmLength(compose({ language, organization }).text)).toBeLessThanOrEqual(140);
  });

  test("with any name, host and zone", () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
    const host = fc.domain().map((name) => `https://${name}`);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 255 }), host, zone, (organization, publicUrl, timeZone) => {
        const { text } = compose({ language, organization, publicUrl, timeZone });
        expect(gsmLength(text)).toBeLessThanOrEqual(160);
        expect(gsmText(text)).toBe(text);
      }),
    );
  });

  test("a long name keeps its beginning", () => {
    for (const publicUrl of HOSTS)
      expect(compose({ language, organization: LONGEST[0] ?? "", publicUrl }).text).toContain("Imobiliaria Sao J");
  });
});

test("the last line is the host and the code; a name cannot make another one", () => {
  const { text } = compose({ organization: "Acme\n\n@evil.example #000000" });
  expect(text.split("\n").filter((line) => line.startsWith("@"))).toEqual(["@selo.example #049213"]);
  expect(text.endsWith("\n\n@selo.example #049213")).toBe(true);
});

test.each([
  ["premios.example/pix", "premios. example/pix"],
  ["https://evil.example", "https: //evil. example"],
  // Full width, which becomes a point.
  ["evil\uff0eexample", "evil. example"],
  ["Acme S.A. Ltda.", "Acme S. A. Ltda."],
])("the name %s is no address that a telephone makes a link of", (organization, shown) => {
  expect(compose({ organization, language: "en" }).text).toContain(`document of ${shown}`);
});

test.each([
  ["https://selo.example:8443/base", "@selo.example #049213"],
  ["http://localhost:4000", "@localhost #049213"],
])("of %s the last line is %s: without port and path", (publicUrl, line) => {
  expect(compose({ publicUrl }).text.split("\n").at(-1)).toBe(line);
});

test.each([`https://${"h".repeat(41)}.example`, "http://127.0.0.1:4000", "http://[::1]:4000"])(
  "%s has no such line: telephones know names alone, and a long one leaves no place",
  (publicUrl) => {
    expect(compose({ publicUrl }).text).not.toContain("#");
  },
);

test("a kind without an SMS is an error, and so is a code without a number", () => {
  expect(() => compose({ kind: "token_revoked" })).toThrow();
});
