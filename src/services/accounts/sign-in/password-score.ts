import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/**
 * How hard a password is to guess, from 0 to 4. Takes some milliseconds, and for the first password of a process some hundred.
 * @param known words that an attacker knows of the person
 */
export const passwordScore = (password: string, known: readonly string[]): number =>
  zxcvbn.check(password, [...known]).score;
