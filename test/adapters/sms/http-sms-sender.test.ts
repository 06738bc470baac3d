// One POST a message: which answers take it, which refuse it, which ask for another attempt.
import { afterEach, beforeEach, expect, test } from "vitest";
import { HttpSmsSender } from "../../../src/adapters/sms/http-sms-sender.ts";
import { SmsError } from "../../../src/adapters/sms/sms-sender.ts";
import { SMS_TOKEN, type SmsReceiver, startSmsReceiver } from "../../support/sms-receiver.ts";

const MESSAGE = {
  id: "019b0000-0000-7000-8000-000000000001",
  to: "+5511987654321",
  text: "481907 é o seu codigo.\n\n@selo.example #481907",
};

let receiver: SmsReceiver;
let sender: HttpSmsSender;
beforeEach(async () => {
  receiver = await startSmsReceiver();
  sender = new HttpSmsSender({ url: `${receiver.url}send?key=1`, token: SMS_TOKEN });
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

/** Why it was not taken. */
const failure = (of = sender): Promise<SmsError> =>
  of.send(MESSAGE).then(
    () => {
      throw new Error("was taken");
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(SmsError);
      return error as SmsError;
    },
  );

test("posts id, number and text as JSON, with the token", async () => {
  await sender.send(MESSAGE);
  expect(receiver.posts).toEqual([MESSAGE]);
  expect(receiver.requests).toMatchObject([
    {
      method: "POST",
      path: "/send?key=1",
      headers: { authorization: `Bearer ${SMS_TOKEN}`, "content-type": "application/json" },
    },
  ]);
});

test.each([200, 201, 202, 204, 299])("%i takes the message", async (status) => {
  receiver.answers.push(status);
  await sender.send(MESSAGE);
});

test.each([408, 429, 500, 502, 503, 599])("%i asks for another attempt", async (status) => {
  receiver.answers.push(status);
  expect(await failure()).toMatchObject({ message: `the SMS service answered ${status}`, permanent: false });
});

test.each([400, 401, 403, 404, 409, 413, 422, 300, 304])("%i refuses the message for good", async (status) => {
  receiver.answers.push(status);
  expect(await failure()).toMatchObject({ message: `the SMS service answered ${status}`, permanent: true });
});

test("a redirect refuses it, and is not followed", async () => {
  receiver.answers.push("redirect");
  expect(await failure()).toMatchObject({ message: "the SMS service answered 307", permanent: true });
  expect(receiver.requests).toHaveLength(1);
});

test("an answer without end takes it: the status has said so. A head without end does not", async () => {
  receiver.answers.push("endless body");
  await sender.send(MESSAGE);
  receiver.answers.push("endless head");
  expect(await failure()).toMatchObject({ permanent: false });
});

test.each(["hang up"] as const)("a service that does %s gets another attempt", async (answer) => {
  receiver.answers.push(answer);
  expect(await failure()).toMatchObject({ message: expect.stringContaining("was not reached"), permanent: false });
});

test("silence ends with the limit of a request, and asks for another attempt", async () => {
  receiver.answers.push("silence");
  const hasty = new HttpSmsSender({ url: receiver.url, token: SMS_TOKEN, wholeMs: 50 });
  expect(await failure(hasty)).toMatchObject({
    message: "the SMS service did not answer in 0.05 seconds",
    permanent: false,
  });
  await hasty.close();
});

test("a service that is not there asks for another attempt", async () => {
  const { url } = receiver;
  await receiver.close();
  const away = new HttpSmsSender({ url, token: SMS_TOKEN });
  expect(await failure(away)).toMatchObject({
    message: "the SMS service was not reached (ECONNREFUSED)",
    permanent: false,
  });
  await away.close();
  receiver = await startSmsReceiver();
});

test("no error repeats number, text or token, whatever the service says", async () => {
  for (const answer of [400, 500, "hang up", "endless head", "redirect"] as const) {
    receiver.answers.push(answer);
    const { message, stack = "", cause } = await failure();
    for (const secret of ["5511987654321", "481907", SMS_TOKEN]) expect(message + stack).not.toContain(secret);
    expect(cause).toBeUndefined();
  }
});
