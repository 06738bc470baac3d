import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { masterKeyId, masterKeyIdOf, openSecret } from "../../../src/adapters/crypto/sealed-secret.ts";
import { ConfigError } from "../../../src/config/config.ts";
import { readConfig } from "../../../src/main/config.ts";
import { existingMasterKeysOf, masterKeysFor, masterKeysOf } from "../../../src/main/master-key.ts";

const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
const secret = Buffer.from("a secret");

test("the first key seals, every key opens", () => {
  const ring = new MasterKeyring(first, [second]);
  expect(ring.sealingId).toBe(masterKeyId(first));
  const sealed = ring.seal(secret, "purpose");
  expect(masterKeyIdOf(sealed)).toBe(masterKeyId(first));
  expect(openSecret(first, sealed, "purpose")).toEqual(secret);
  expect(ring.open(sealed, "purpose")).toEqual(secret);
  expect(ring.open(new MasterKeyring(second).seal(secret, "purpose"), "purpose")).toEqual(secret);
  expect(() => ring.open(sealed, "another purpose")).toThrow(expect.objectContaining({ reason: "not_authentic" }));
});

test("a key that is not there is named by its id, and so are those that are", () => {
  const sealed = new MasterKeyring(third).seal(secret, "purpose");
  const opening = () => new MasterKeyring(first, [second]).open(sealed, "purpose");
  expect(opening).toThrow(expect.objectContaining({ reason: "other_master_key" }));
  for (const key of [first, second, third]) expect(opening).toThrow(masterKeyId(key));
});

test("a key given twice counts once; one that is no key is refused", () => {
  const ring = new MasterKeyring(first, [first, second, second]);
  expect(ring.open(ring.seal(secret, "purpose"), "purpose")).toEqual(secret);
  expect(() => new MasterKeyring(first, [Buffer.alloc(31)])).toThrow(
    expect.objectContaining({ reason: "invalid_master_key" }),
  );
});

test("what is derived depends on the name and on the key that seals, and on no other", () => {
  const derived = new MasterKeyring(first).derive("one");
  expect(derived).toHaveLength(32);
  expect(new MasterKeyring(first, [second]).derive("one")).toEqual(derived);
  expect(new MasterKeyring(first).derive("two")).not.toEqual(derived);
  expect(new MasterKeyring(second, [first]).derive("one")).not.toEqual(derived);
});

test("in development the keys stand in a file: the first line seals, further lines open, so does SELO_MASTER_KEY_OTHERS", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-master-key-"));
  try {
    const file = path.join(folder, "master-key");
    const ring = (others = "") => masterKeysOf(readConfig({ SELO_DATA_DIR: folder, SELO_MASTER_KEY_OTHERS: others }));
    expect(() => ring()).toThrow(ConfigError);
    const made = masterKeysFor(readConfig({ SELO_DATA_DIR: folder }), []);
    expect(masterKeysFor(readConfig({ SELO_DATA_DIR: folder }), []).sealingId).toBe(made.sealingId);
    expect(ring().sealingId).toBe(made.sealingId);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const sealed = made.seal(secret, "purpose");

    fs.writeFileSync(file, `${first.toString("hex")}\n${fs.readFileSync(file, "utf8")}`);
    expect(ring().sealingId).toBe(masterKeyId(first));
    expect(ring().open(sealed, "purpose")).toEqual(secret);
    fs.writeFileSync(file, `${first.toString("base64")}\n`);
    expect(() => ring().open(sealed, "purpose")).toThrow(expect.objectContaining({ reason: "other_master_key" }));
    const fromOthers = new MasterKeyring(second).seal(secret, "purpose");
    expect(ring(`${third.toString("hex")}, ${second.toString("base64")}`).open(fromOthers, "purpose")).toEqual(secret);

    fs.writeFileSync(file, "not a key\n");
    expect(() => ring()).toThrow(ConfigError);
    expect(() => ring()).toThrow(file);
    expect(() => ring()).not.toThrow("not a key");
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

test("where secrets are sealed already, no key is generated, and the one that is wanted is named", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-master-key-"));
  try {
    const config = readConfig({ SELO_DATA_DIR: folder });
    const file = path.join(folder, "master-key");
    const wanted = masterKeyId(first);
    expect(() => masterKeysFor(config, [wanted])).toThrow(ConfigError);
    expect(() => masterKeysFor(config, [wanted])).toThrow(
      `under the master key with id ${wanted}, and no master key is configured; set SELO_MASTER_KEY to the key with that id, or put it into ${file}`,
    );
    expect(fs.readdirSync(folder)).toEqual([]);
    expect(existingMasterKeysOf(config)).toBeNull();

    fs.writeFileSync(file, `${second.toString("hex")}\n`);
    expect(() => masterKeysFor(config, [wanted])).toThrow(`the configured one is ${masterKeyId(second)}`);
    fs.writeFileSync(file, `${first.toString("hex")}\n`);
    expect(masterKeysFor(config, [wanted]).sealingId).toBe(wanted);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
