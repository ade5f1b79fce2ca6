// What the modules of the screen hand to each other, for the type checker alone: nothing of it is loaded.
// `Refs` is made from screen.html when types are checked.

type Side = "left" | "right";
type State = "level" | "cannot judge" | "later" | "unjudged" | "refused";
/** Where a passage begins and ends: in code points, or where it says so in units of a text. */
type Span = [start: number, end: number];
type Facts = Record<string, unknown>;

type Answer = (state: State, level?: number | null, reason?: string) => void;
/** The parts of the screen that commands are given to. */
type Parts = Pick<
  import("./screen.js").Screen,
  "answers" | "asking" | "chips" | "dialogs" | "moves" | "notes" | "opened" | "passages" | "refs" | "texts" | "view" | "visit" | "words"
>;
type Asking = import("./answers.js").Asking;
type Dialogs = import("./view/dialogs.js").Dialogs;
type Moves = import("./moves.js").Moves;
type View = import("./view/view.js").View;
type Visit = import("./judging/visit.js").Visit;
type Ahead = import("./judging/ahead.js").Ahead;
type Aspects = import("./judging/aspects.js").Aspects;
type Clock = import("./judging/paradata.js").Clock;
type Drafts = import("./storage/memory.js").Drafts;
type JudgingSession = import("./judging/judging_session.js").JudgingSession;
type KeptPages = import("./view/kept_pages.js").KeptPages;
type Marks = import("./judging/passages.js").Marks;
type Outbox<E extends Sent> = import("./outbox/outbox.js").Outbox<E>;
type Paradata = import("./judging/paradata.js").Paradata;
type NoticeFeed = import("./outbox/notice_feed.js").NoticeFeed;
type FramedPage = import("./view/framed_page.js").FramedPage;
type Progress = ReturnType<import("./judging/queue.js").Queue["progress"]>;
type Practised = ReturnType<JudgingSession["practised"]>;
type Reading = import("./texts.js").Reading;
type TextOnly = import("./texts.js").TextOnly;
type Terms = ReturnType<typeof import("./view/query_terms.js").readTerms>;

interface Level {
  level: number;
  name: string;
  meaning: string;
  key: string;
}
type Scales = Record<string, Level[]>;

interface Aspect {
  name: string;
  question: string;
  facets: string[];
  from_level: number | null;
  may_be_left_out: boolean;
  levels: Level[];
}
/** The levels of aspects by name; null where one was left out. */
type Given = Record<string, number | null>;

interface Topic {
  query: string;
  description: string;
  narrative: string;
}
/** The words of texts that have the stem of a query's, and parts of words in scripts without spaces. */
interface Matching {
  words: string[];
  parts: string[];
}
/** What is judged, as it is shown; frames are addresses. */
interface Shown {
  title: string | null;
  url: string | null;
  text: string | null;
  frame: string | null;
  text_frame?: string | null;
}
/** One of what stands side by side; with a page where it can be opened. */
interface Card extends Shown {
  shared?: number | null;
  page?: string;
  page_text?: string;
}

/** What came true of an item on the screen. */
interface Seen {
  furthest?: number;
  both_sides?: boolean;
  first_side?: Side;
  text_only?: boolean;
}
/** What an item is known by. */
interface Place {
  topic: string;
  document: string;
  facet: string;
  engine?: string;
  occasion: string;
}
interface Marked {
  passages?: Span[];
  text_hash?: string | null;
}
interface Label extends Marked {
  event_id: string | null;
  state: State;
  level: number | null;
  comment: string;
  aspects?: Given;
  reasons?: string[];
  paradata?: Facts & { shown_ms?: number };
}
/** What is marked as chosen. */
type Chosen = Pick<Label, "state" | "level">;
interface Step extends Place {
  snippet: string | null;
  needs: { facet: string; at_least: number } | null;
  label: Label | null;
  practice: boolean;
  sides?: [Card[], Card[]];
  first?: Side;
  text_hash?: string | null;
}
interface Sent extends Place {
  event_id: string;
  assignment: string;
}
interface LabelEvent extends Sent, Label {
  event_id: string;
  supersedes: string | null;
  dwell_ms: number;
  client_time: string;
}
interface Question extends Sent {
  text: string;
  about: string;
  time?: string;
}
/** What was not acknowledged yet. */
interface Waiting {
  has: (id: string) => boolean;
}
/** What an outbox says: `foreign`, an event of another tab. */
interface Answers<E> {
  ack: (event: E, ack: Ack) => void;
  change: () => void;
  foreign: (event: E) => void;
  signIn: () => void;
  added?: (event: E) => void;
}
interface Ack {
  event_id: string;
  status: string;
  reason?: string;
  current?: Label | null;
  practice?: Right | null;
}
/** What is right of a practice item. */
interface Right {
  level: number;
  why?: string;
}

/** What the page script hands out; `over`: nothing is left, `again`: one item of the history. */
interface Assignment {
  assignment: string;
  collection: string;
  assessor: string;
  token: string | null;
  intake: string;
  questions: string;
  notices: string;
  ahead: string;
  told: string; // where what a machine said is asked for
  language: string;
  guidelines: string;
  scales: Scales;
  aspects?: Aspect[];
  topics: Record<string, Topic>;
  documents: Record<string, Shown | undefined>;
  steps: Step[];
  terms?: Record<string, Matching>;
  pace?: { median_seconds: number | null; topics: Topics | null; today: number; hidden?: boolean };
  intro?: { asked_by: string };
  test?: { needed: number; items: number; within: number; attempt: number; attempts: number };
  reasons?: string[];
  given?: Record<string, string[]>;
  left_out?: number;
  shows_machine?: boolean;
  others?: string;
  over?: boolean;
  again?: boolean;
}
/** Which of how many topics, or parts of one, this is. */
interface Topics {
  what: string;
  number: number;
  total: number;
  at_most: boolean;
}
type Trigger = (name: string, value: string) => void;
interface Kept {
  owner: string;
  at: number;
  assignments: Assignment[];
}
interface KeptLabel {
  label: Label;
  at: number;
}

/** What a machine said of an item. */
interface RevealedLevel extends Place {
  called: string;
  level: number;
}
/** The same in words, beside what was said oneself. */
interface RevealedLine {
  key: string;
  what: string;
  own: string;
  called: string;
  level: string;
}

/** What a press asks for; `level` is also the place of a chip or the key of what is open. */
interface Command {
  name: string;
  level?: number | string | null;
  reason?: string;
}
/** By what a button was pressed, and where on the window. */
interface Press {
  by?: string;
  place?: number;
  x?: number;
  y?: number;
}
/** The key of each command. */
type Keys = Record<string, string>;

/** What the card at the end says besides the counts. */
interface Done {
  query?: string;
  comments?: number;
  what?: string;
  practice?: Practised;
  today?: number;
  next?: string;
  isWanted?: boolean;
  isOver?: boolean;
}
/** What is open besides the item; `commentFor` is an index. */
interface Mode {
  feedback: boolean;
  card: "start" | "practised" | null;
  reasons: boolean;
  commentFor: number | null;
  isReason: boolean;
  asks: boolean;
}
/** What the item's surroundings say of the whole visit. */
interface Day {
  today: number;
  spent?: number;
  end?: { next: string; isWanted: boolean; isOver: boolean };
}
interface Begun {
  level: number;
  given: Given;
  at: number;
}

interface Guidelines {
  number: number;
  text: string;
  note: string;
  time: string;
}
interface Notice {
  id: string;
  kind: string;
  text: string;
  time: string;
  unread: boolean;
  question: string;
  about: string;
}
/** A paragraph of a text, or its lines as they stand. */
interface Block {
  at: number;
  block: string;
  aligned: boolean;
}
/** A node that has a part of a text, from `at` on. */
interface Placed {
  at: number;
  node: Node & ParentNode;
}

/** What the service worker keeps: the name of a cache, what is in it, and of that a page a language. */
interface Shell {
  name: string;
  parts: string[];
  pages: Record<string, string>;
}
interface Waitable extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface Fetching extends Waitable {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
/** The service worker itself: browsers' own types of it and of a window exclude each other. */
interface ServiceWorkerScope {
  shell: Shell;
  clients: { claim: () => Promise<void> };
  skipWaiting: () => Promise<void>;
  addEventListener(name: "install" | "activate", act: (event: Waitable) => void): void;
  addEventListener(name: "fetch", act: (event: Fetching) => void): void;
}

// Every node of the screen is one of HTML.
interface ParentNode {
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface Element {
  closest(selectors: string): HTMLElement | null;
  firstElementChild: HTMLElement | null;
}
interface HTMLCollection {
  [index: number]: HTMLElement;
  [Symbol.iterator](): ArrayIterator<HTMLElement>;
}
