// AWS Signature Version 4, by the example that AWS publishes (Amazon S3 API Reference, "Signature Calculations for the Authorization Header").
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signRequest } from "../../../src/adapters/object-put/sign-request.ts";

const key = {
  region: "us-east-1",
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const AT = new Date("2013-05-24T00:00:00Z");
const NOTHING = createHash("sha256").digest("hex");

test("GET of an object, as AWS publishes it", async () => {
  const headers = await signRequest(
    {
      method: "GET",
      url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
      headers: { range: "bytes=0-9" },
      sha256: NOTHING,
    },
    key,
    AT,
  );
  expect(headers["authorization"]).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, " +
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
  expect(headers["x-amz-date"]).toBe("20130524T000000Z");
});

test("a path is signed as it is sent: escaped once", async () => {
  const signed = async (path: string) =>
    (
      await signRequest(
        { method: "PUT", url: new URL(`https://h.example.com${path}`), headers: {}, sha256: NOTHING },
        key,
        AT,
      )
    )["authorization"];
  expect(await signed("/b/a%20b")).not.toBe(await signed("/b/a%2520b"));
  expect(await signed("/b/a")).not.toBe(await signed("/b/b"));
});
