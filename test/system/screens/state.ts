import type { Browser, Page } from "playwright-core";
import type { TestGateway } from "../../support/gateway.ts";
import type { PageFile } from "../web/proofs.ts";

export const LANGUAGES = ["en", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A gateway and a browser, with what the pages of a group show. */
export interface Stage {
  readonly selo: TestGateway;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** What is known of the pictures of a state before it is shown. */
export interface Pictured {
  /** Both by default. */
  readonly languages?: readonly Language[];
  /** The mockup beside the picture: a file of it in each language that it is drawn in. */
  readonly mockup?: Partial<Readonly<Record<Language, string>>>;
  /** A state that differs little from another one of its page: the lane looks at that one alone. */
  readonly onlyInFull?: true;
  /** Selectors of parts that axe does not look at, because packages draw them that we only embed. */
  readonly foreign?: readonly string[];
}

/** A page in some state: where it is, what is done there, and what shows that the state is reached. */
export interface State<Own extends Stage = Stage> extends Pictured {
  readonly path: (stage: Own) => string;
  /** Files that are dropped onto the page. */
  readonly files?: (stage: Own) => readonly PageFile[];
  /** Before the page is opened: answers that are held back or replaced. */
  readonly before?: (page: Page, stage: Own) => Promise<void>;
  /** After it was opened. */
  readonly act?: (page: Page, stage: Own) => Promise<void>;
  /** A selector of what must be visible. */
  readonly shown: string;
  /** The status of the answer; 200 by default. */
  readonly status?: number;
  /** Whether its controls are walked through by keyboard. */
  readonly walked?: true;
}

/** States by their names. A picture has its state's name, so no two groups share one. */
export type States<Each extends Pictured = State> = Readonly<Record<string, Each>>;
