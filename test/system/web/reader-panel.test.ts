// The panel of fields and the signature in a browser: /dev/reader.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { axe } from "../../support/axe.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { DESKTOP, launchBrowser, PHONE, screenshot, type WatchedPage } from "./browser.ts";
import { A4, drawn, events, field, given, oneDocument, openReader, pdfOf, type ReaderStage } from "./reader-stage.ts";

let selo: TestGateway;
let browser: Browser;
beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

const opened: WatchedPage[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function show(stage: ReaderStage, options: BrowserContextOptions = {}): Promise<Page> {
  const count = stage.documents[0]?.page_sizes.length ?? 1;
  const watched = await openReader(
    browser,
    selo,
    stage,
    { doc: await pdfOf(count) },
    { reducedMotion: "reduce", ...options },
  );
  opened.push(watched);
  await watched.page.locator(".sheet").first().waitFor();
  return watched.page;
}

const FIELDS = [
  field("position", { type: "cargo", y: 0.2 }),
  field("box", { type: "checkbox", required: false, y: 0.25, width: 0.04 }),
  field("animal", { y: 0.3, condition_field_id: "box", condition_trigger: "checked" }),
  field("rent", { type: "numero", y: 0.35 }),
  field("pick", { type: "checkbox", y: 0.4, width: 0.04 }),
  field("cpf-one", { type: "cpf", y: 0.45 }),
  field("cpf-two", { type: "cpf", y: 0.5, page: 2 }),
  field("day", { type: "data", y: 0.5 }),
  field("sign", { type: "assinatura", y: 0.6, height: 0.08 }),
];
const CONTRACT = oneDocument([A4, A4], FIELDS);
const next = (page: Page) => page.getByRole("button", { name: "Next field" });

describe("the panel", () => {
  test("leads through all fields by keyboard alone, and what is given is what the request takes", async () => {
    const page = await show(CONTRACT);
    await page.getByText("4 fields left").waitFor();
    await page.getByRole("button", { name: "Go to the next field" }).press("Enter");
    await page.getByText("Field 1 of 5, page 1").waitFor();
    const type = (text: string) => page.keyboard.type(text);
    const enter = () => page.keyboard.press("Enter");
    await type("مدير");
    expect(await page.locator('[data-field="position"] bdi').innerText()).toBe("مدير");
    await enter();
    await page.keyboard.press("Space");
    await page.getByText("Field 2 of 6, page 1").waitFor();
    await enter();
    await type("A dog");
    await enter();
    await type("1,234.50");
    await page.getByText("It is written as 1234.50.").waitFor();
    await enter();
    await page.keyboard.press("Space");
    await enter();
    await type("529.982.247-24");
    await page.getByRole("button", { name: "Go to the next field" }).press("Enter");
    await page.getByRole("alert").getByText("This CPF is wrong: compare its 11 digits.").waitFor();
    await page.keyboard.press("Backspace");
    await type("5");
    await enter();
    await expect.poll(() => events(page)).toContain("done");
    expect(await given(page)).toMatchObject({
      values: { position: "مدير", box: true, animal: "A dog", rent: "1234.50", pick: true },
      cpf: "529.982.247-25",
    });
    // Both fields of the CPF show it.
    expect(await page.locator('[data-field="cpf-two"] bdi').innerText()).toBe("529.982.247-25");
    await page.getByText("All fields are filled in.").waitFor();
  });

  test("says what is missing where it is missing, and leads there before it goes on", async () => {
    const page = await show(CONTRACT);
    await page.getByRole("button", { name: "Go to the next field" }).click();
    expect(await page.getByRole("alert").count()).toBe(0);
    for (let step = 0; step < 4; step += 1) await next(page).click();
    await page.getByText("Field 5 of 5, page 1").waitFor();
    await page.getByRole("button", { name: "Go to the next field" }).click();
    await page.getByRole("alert").getByText("Your position is missing.").waitFor();
    await page.getByText("Field 1 of 5, page 1").waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe("true");
    expect(await events(page)).not.toContain("done");
    await page.keyboard.type("Director");
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  test("wants a required box ticked, or answered where its empty state shows a field", async () => {
    const pick = field("pick", { type: "checkbox", y: 0.4, width: 0.04 });
    const why = field("why", { y: 0.5, condition_field_id: "pick", condition_trigger: "unchecked" });
    const ticked = await show(oneDocument([A4], [pick]));
    await ticked.getByRole("button", { name: "Go to the next field" }).click();
    await ticked.getByText("Must be ticked.").waitFor();
    await ticked.getByRole("checkbox").check();
    expect((await given(ticked)).values).toEqual({ pick: true });
    const answered = await show(oneDocument([A4], [pick, why]));
    await answered.getByRole("button", { name: "Go to the next field" }).click();
    await answered.getByRole("radio", { name: "Leave it empty" }).check();
    await next(answered).click();
    await answered.keyboard.type("No car");
    expect((await given(answered)).values).toEqual({ pick: false, why: "No car" });
  });

  test("tells of a wrong CPF before it goes on to the next field, and of what is missing later", async () => {
    const fields = [field("cpf", { type: "cpf" }), field("city", { y: 0.5 }), field("state", { y: 0.6 })];
    const page = await show(oneDocument([A4], fields), { locale: "pt-BR" });
    await page.locator('[data-field="cpf"]').click();
    await page.keyboard.type("529.982.247-24");
    await page.getByRole("button", { name: "Próximo campo" }).click();
    await page.getByRole("alert").getByText("Este CPF está errado: confira os 11 números.").waitFor();
    await page.getByText("Campo 1 de 3, página 1").waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe("true");
    await page.getByRole("textbox", { name: "Seu CPF" }).fill("529.982.247-25");
    await page.keyboard.press("Enter");
    await page.getByText("Campo 2 de 3, página 1").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Campo 3 de 3, página 1").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("calls a field as the sender does, else by what it is and where it lies", async () => {
    const fields = [
      field("phone", { label: "Telefone para avisos" }),
      field("animals", { type: "checkbox", y: 0.4, width: 0.04, label: "Aceita animais de pequeno porte" }),
      field("text", { y: 0.5, page: 2 }),
      field("box", { type: "checkbox", y: 0.6, width: 0.04, page: 2 }),
    ];
    const page = await show(oneDocument([A4, A4], fields), { locale: "pt-BR" });
    await page.getByRole("button", { name: "Campo 1, Telefone para avisos, a preencher" }).click();
    await page.getByRole("textbox", { name: "Telefone para avisos", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("checkbox", { name: "Aceita animais de pequeno porte" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Texto na página 2", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("checkbox", { name: "Marcar a caixa na página 2" }).waitFor();
  });

  test("on a phone, no number covers a checkbox", async () => {
    // As small as it may be and as large as usual; alone, in a row, in a column, and at the edges of the page.
    const boxes = [0, 0.12, 0.24, 0.36, 0.5, 0.97].flatMap((x, column) =>
      [0.02, 0.2, 0.24, 0.28, 0.6].map((y, row) =>
        field(`${column}-${row}`, {
          type: "checkbox",
          x,
          y,
          width: row % 2 ? 0.03 : 0.011,
          height: row % 2 ? 0.021 : 0.008,
        }),
      ),
    );
    const wide = [field("below", { x: 0.12, y: 0.62, width: 0.3 }), field("beside", { x: 0.55, y: 0.6, width: 0.3 })];
    const page = await show(oneDocument([A4], [...boxes, ...wide]), { viewport: PHONE });
    const covered = await page.evaluate<string[]>(`(() => {
      const rect = (element) => element.getBoundingClientRect();
      const boxes = [...document.querySelectorAll(".mark")].map((mark) => [mark.dataset.field, rect(mark.querySelector(".box"))]);
      const sheet = rect(document.querySelector(".sheet"));
      return [...document.querySelectorAll(".mark .number")].flatMap((number) => {
        const badge = rect(number);
        const own = number.closest(".mark").dataset.field;
        const met = boxes.filter(([name, box]) => /-/.test(name)
          && badge.left < box.right - 0.5 && box.left < badge.right - 0.5 && badge.top < box.bottom - 0.5 && box.top < badge.bottom - 0.5);
        const isCut = badge.left < sheet.left || badge.right > sheet.right || badge.top < sheet.top;
        return [...met.map(([name]) => own + " covers " + name), ...(isCut ? [own + " is cut"] : [])];
      });
    })()`);
    expect(covered).toEqual([]);
  });

  test("leaves hidden fields out, also their values", async () => {
    const page = await show(CONTRACT);
    expect(await page.locator('[data-field="animal"]').count()).toBe(0);
    await page.getByRole("button", { name: "Field 2, Box on page 1, to fill in" }).click();
    await page.getByRole("checkbox").check();
    await page.locator('[data-field="animal"]').click();
    await page.keyboard.type("A dog");
    expect((await given(page)).values).toEqual({ box: true, animal: "A dog" });
    await page.getByRole("button", { name: "Field 2, Box on page 1, ticked" }).click();
    await page.getByRole("checkbox").uncheck();
    expect((await given(page)).values).toEqual({ box: false });
    expect(await page.locator('[data-field="animal"]').count()).toBe(0);
  });

  test("does not ask for a CPF that is known, and says who fills in the rest", async () => {
    const page = await show(oneDocument([A4, A4], FIELDS, { knownCpf: "***.982.247-**" }));
    await page.getByText("3 fields left").waitFor();
    expect(await page.locator('button[data-field^="cpf"]').count()).toBe(0);
    await page.locator('[data-field="day"]').getByText("the date, filled in when you sign").waitFor();
    expect(await page.locator('button[data-field="sign"]').count()).toBe(0);
  });

  test("shows what the server says, until the value is changed", async () => {
    const page = await show({ ...CONTRACT, errors: { position: "O servidor não aceita." } });
    await page.locator('[data-field="position"]').click();
    await page.getByRole("alert").getByText("O servidor não aceita.").waitFor();
    await page.keyboard.type("x");
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  test("on a phone, neither hides the field nor what has the focus", async () => {
    const page = await show(CONTRACT, { viewport: PHONE });
    const last = field("last", { page: 2, y: 0.95, height: 0.02 });
    const other = await show(oneDocument([A4, A4], [last]), { viewport: PHONE });
    for (const [each, name] of [
      [page, "cpf-one"],
      [other, "last"],
    ] as const) {
      await each.locator(`[data-field="${name}"]`).click();
      await expect
        .poll(async () => {
          const mark = await each.locator(`[data-field="${name}"] .box`).boundingBox();
          const panel = await each.locator(".panel").boundingBox();
          return mark !== null && panel !== null && mark.y > 0 && mark.y + mark.height <= panel.y;
        })
        .toBe(true);
      expect(await each.evaluate("innerHeight - document.querySelector('.panel').getBoundingClientRect().bottom")).toBe(
        0,
      );
    }
  });

  test("no text is a field for itself: a document without fields goes on", async () => {
    const page = await show(oneDocument([A4]));
    await page.getByText("This document has nothing for you to fill in.").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => events(page)).toContain("done");
  });

  test("numbers in Portuguese have a comma", async () => {
    const page = await show(oneDocument([A4], [field("rent", { type: "numero" })]), { locale: "pt-BR" });
    await page.locator('[data-field="rent"]').click();
    await page.keyboard.type("2.350,00");
    expect((await given(page)).values).toEqual({ rent: "2350.00" });
    await page.getByText("Vai aparecer como 2350.00.").waitFor();
  });
});

describe("the signature", () => {
  /** Draws a wave, from left to right. */
  async function draw(page: Page, from = 0.2, to = 0.8): Promise<void> {
    const area = await page.locator(".signature-area canvas").boundingBox();
    if (area === null) throw new Error("there is no area");
    const at = (x: number) => [area.x + x * area.width, area.y + (0.5 + 0.2 * Math.sin(20 * x)) * area.height] as const;
    await page.mouse.move(...at(from));
    await page.mouse.down();
    for (let x = from; x <= to; x += 0.01) await page.mouse.move(...at(x));
    await page.mouse.up();
    await expect.poll(async () => (await given(page)).signature?.kind).toBe("drawn");
  }
  /** What the server says of it. */
  async function fault(signature: unknown): Promise<string | null> {
    const { rows } = await selo.database.admin.query("select signature.wrong_signature('signatario', $1) as fault", [
      JSON.stringify(signature),
    ]);
    return rows[0].fault;
  }
  /** How many points of the area are dark, and the middle of them, in parts of the area. */
  const ink = (page: Page) =>
    page.evaluate<{ count: number; x: number; y: number }>(`(() => {
      const area = document.querySelector(".signature-area canvas");
      const copy = new OffscreenCanvas(area.width, area.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(area, 0, 0);
      const { data, width, height } = copy.getImageData(0, 0, area.width, area.height);
      let [count, x, y] = [0, 0, 0];
      for (let at = 0; at < width * height; at += 1)
        if (data[4 * at + 3] > 128) [count, x, y] = [count + 1, x + (at % width), y + Math.floor(at / width)];
      return { count, x: x / count / width, y: y / count / height };
    })()`);

  test("that is drawn is what the request takes", async () => {
    const page = await show(oneDocument([A4]));
    await draw(page);
    const { signature } = await given(page);
    expect(await fault(signature)).toBeNull();
    expect(signature).toMatchObject({ kind: "drawn", ratio: 0.42 });
    const [line = []] = signature.paths;
    expect(line[0]?.[0]).toBeCloseTo(0.2, 1);
    expect(line.at(-1)?.[0]).toBeCloseTo(0.8, 1);
    for (const [x = 0, y = 0] of line) expect(y).toBeCloseTo(0.5 + 0.2 * Math.sin(20 * x), 1);
  });

  test("stays as it was drawn when the screen changes its width", async () => {
    const page = await show(oneDocument([A4]), { viewport: DESKTOP });
    await draw(page);
    const [before, { signature }] = [await ink(page), await given(page)];
    await page.setViewportSize(PHONE);
    await expect.poll(async () => (await ink(page)).count).toBeLessThan(before.count / 2);
    const after = await ink(page);
    expect(after.x).toBeCloseTo(before.x, 1);
    expect(after.y).toBeCloseTo(before.y, 1);
    expect((await given(page)).signature).toEqual(signature);
  });

  test("can be taken back line by line, or as a whole; a dot alone is none", async () => {
    const page = await show(oneDocument([A4]));
    await draw(page, 0.2, 0.4);
    const one = await ink(page);
    await draw(page, 0.5, 0.8);
    const lines = async () => (await given(page)).signature?.paths.length;
    await expect.poll(lines).toBe(2);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(lines).toBe(1);
    expect(await ink(page)).toEqual(one);
    await page.getByRole("button", { name: "Clear" }).click();
    expect((await given(page)).signature).toBeNull();
    expect((await ink(page)).count).toBe(0);
    await page.locator(".signature-area canvas").click();
    await page.getByText("A dot is not enough: draw a line.").waitFor();
    expect((await given(page)).signature).toBeNull();
  });

  test("with a finger does not move the page", async () => {
    const page = await show(oneDocument([A4]), { viewport: PHONE, hasTouch: true, isMobile: true });
    const area = await page.locator(".signature-area canvas").boundingBox();
    if (area === null) throw new Error("there is no area");
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: { x: number; y: number }[]) =>
      devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
    const at = (part: number) => ({
      x: area.x + area.width * (0.2 + part / 2),
      y: area.y + area.height * (0.9 - part * 0.8),
    });
    await touch("touchStart", at(0));
    for (let part = 0; part <= 1; part += 0.05) await touch("touchMove", at(part));
    await touch("touchEnd");
    await expect.poll(async () => (await given(page)).signature?.kind).toBe("drawn");
    expect(await page.evaluate("scrollY")).toBe(0);
    expect(await fault((await given(page)).signature)).toBeNull();
  });

  test("is typed by keyboard alone, and a drawing is still there afterwards", async () => {
    const page = await show(oneDocument([A4], [], { name: "محمد Ábáçà" }));
    await draw(page);
    const { signature: drawing } = await given(page);
    await page.getByRole("radio", { name: "Draw" }).focus();
    await page.keyboard.press("ArrowRight");
    expect((await given(page)).signature).toEqual({ kind: "typed", text: "محمد Ábáçà" });
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await page.keyboard.type(" Jr");
    expect((await given(page)).signature).toEqual({ kind: "typed", text: "محمد Ábáçà Jr" });
    await page.getByLabel("Your name, as it should appear").fill("  ");
    expect((await given(page)).signature).toBeNull();
    await page.getByRole("radio", { name: "Draw" }).check();
    expect((await given(page)).signature).toEqual(drawing);
  });
});

describe("looks, and what axe finds", () => {
  const sizes = [
    ["phone", { viewport: PHONE, deviceScaleFactor: 2 }],
    ["desktop", { viewport: DESKTOP }],
    ["dark", { viewport: PHONE, colorScheme: "dark" }],
  ] as const;

  test.each(sizes.map(([name, options], place) => ({ name, options, place })))(
    "$name",
    async ({ name, options, place }) => {
      const page = await show(CONTRACT, { ...options, locale: "pt-BR" });
      await drawn(page);
      let states = 0;
      const look = async (state: string) => {
        states += 1;
        // Each state in one of the looks, in turn; in `npm run test:full` in all.
        if (byLane({ lane: states % sizes.length !== place, full: false })) return;
        // A colour on its way to another has no contrast worth measuring.
        await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))");
        const { violations } = await axe(page).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        await page.screenshot({ path: `test-output/screenshots/reader-${state}-${name}.png` });
      };
      await page.locator(".reading").evaluate("(reading) => reading.scrollIntoView()");
      await look("reading");
      await page.locator('[data-field="position"]').click();
      await look("field-text");
      await page.getByRole("button", { name: "Próximo campo" }).click();
      await look("field-box");
      await page.getByRole("button", { name: "Próximo campo" }).click();
      await page.getByRole("button", { name: "Próximo campo" }).click();
      await look("field-choice");
      await page.getByRole("button", { name: "Próximo campo" }).click();
      await page.keyboard.type("111");
      await page.getByRole("button", { name: "Ir ao próximo campo" }).click();
      await look("field-error");
      await page.evaluate("scrollTo(0, 0)");
      await page.getByRole("radio", { name: "Digitar" }).check();
      await look("typed");
      await screenshot(page, `reader-whole-${name}`);
    },
    60_000,
  );
});
