// What final documents say in the language of their envelope.
import { expect, test } from "vitest";
import { type Signed, stampWords } from "../../../src/services/signature/envelopes/stamp-words.ts";

const SIGNED: Signed = {
  name: "Marina Costa de Oliveira",
  clock: { utc: "2026-11-21T17:47:09.123456Z", local: "2026-11-21T14:47:09.123456", offset: "-03:00" },
  timeZone: "America/Sao_Paulo",
  code: "K7QF-2MXR-9TDA",
  verifyUrl: "https://selo.example/verify",
};

test.each([
  ["pt-BR", "26/11/2026"],
  ["pt", "26/11/2026"],
  ["en", "26 Nov 2026"],
  ["fr", "26 Nov 2026"],
])("a day in %s", (language, day) => {
  expect(stampWords(language).day("2026-11-26")).toBe(day);
});

test("below a signature, in Portuguese and in English", () => {
  expect(stampWords("pt-BR").caption(SIGNED)).toEqual({
    name: "Marina Costa de Oliveira",
    time: "21/11/2026, 14:47:09 (horário de Brasília, UTC\u22123)",
    code: "Código K7QF-2MXR-9TDA",
    codeAndAddress: "Código K7QF-2MXR-9TDA, verifique em selo.example/verify",
  });
  expect(stampWords("en").caption(SIGNED)).toEqual({
    name: "Marina Costa de Oliveira",
    time: "21 Nov 2026, 14:47:09 (Brasilia Standard Time, UTC\u22123)",
    code: "Code K7QF-2MXR-9TDA",
    codeAndAddress: "Code K7QF-2MXR-9TDA, verify at selo.example/verify",
  });
});

test.each([
  ["Etc/UTC", "+00:00", "14:47:09 (UTC)"],
  ["Asia/Kolkata", "+05:30", "14:47:09 (India Standard Time, UTC+5:30)"],
  ["Etc/GMT+3", "-03:00", "14:47:09 (Etc/GMT+3, UTC-03:00)"],
])("in the zone %s", (timeZone, offset, ending) => {
  const { time } = stampWords("en").caption({ ...SIGNED, timeZone, clock: { ...SIGNED.clock, offset } });
  expect(time.slice(-ending.length)).toBe(ending);
});

test("without an address the code stands alone", () => {
  const { code, codeAndAddress } = stampWords("en").caption({ ...SIGNED, verifyUrl: null });
  expect(codeAndAddress).toBe(code);
});
