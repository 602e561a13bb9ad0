import type { KnownErrorHit } from '#domain/known-errors/match.ts'
import { LINES_ABOVE } from '#domain/known-errors/fixes.ts'
import { withKnownErrors } from '#domain/known-errors/match.ts'
import type { KnownErrorId } from '#domain/known-errors/rules.ts'
import { withStaffHits } from '#domain/known-errors/staff-rules.ts'
import type { StaffHit, StaffRule } from '#domain/known-errors/staff-rules.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import type { LogBuffer, LogEntry, LogLine } from '../log/log-buffer.ts'

/** Lines that are older than the newest one by more belong to an earlier run. */
const SAME_RUN_MS = 10 * 60_000
/** A server that was stopped or has no program has no error to put right. */
const SHOWN: readonly ServerWord[] = ['crashed', 'error on startup', 'starting', 'running']
/** Damage on the disk stays when the server is stopped, and only then is it put right. */
const STOPPED: readonly ServerWord[] = ['stopping', 'offline', 'healthy']
const STAYS: readonly KnownErrorId[] = ['world-corrupt']

/** These states describe the machine. The server's run goes on meanwhile. */
const UNSEEN: readonly ServerWord[] = ['nodeoffline', 'unknown']

export type ErrorCards = {
  readonly word: ServerWord | undefined
  readonly hits: readonly KnownErrorHit[]
  readonly staffHits: readonly StaffHit[]
  /** The cards that the reader has closed; a further run may show them again. */
  readonly closed: readonly string[]
  readonly readSeq: number
  /** The last line before the run, as far as the page saw its beginning. */
  readonly runSeq: number
  /** The rules of staff with which the lines were read. */
  readonly rules: readonly StaffRule[]
  /** Lines before this time are from before the page saw the server running. */
  readonly fromMs: number
}

const noRules: readonly StaffRule[] = []

export const noCards: ErrorCards = {
  word: undefined,
  hits: [],
  staffHits: [],
  closed: [],
  readSeq: 0,
  runSeq: 0,
  rules: noRules,
  fromMs: 0,
}

/** The state of the page that cards depend on. `isFirst`: the state has not changed since the page opened. */
export type CardsSource = {
  readonly log: LogBuffer
  readonly word: ServerWord
  readonly isFirst: boolean
  readonly nowMs: number
  /** Rules of staff; the same array while nothing of them changes. */
  readonly rules?: readonly StaffRule[]
}

/** The lines that were not read yet: from the end of the log back to the last one that was. */
const freshLines = (log: LogBuffer, readSeq: number): LogLine[] => {
  const fresh: LogLine[] = []
  for (let at = log.entries.length - 1; at >= 0; at -= 1) {
    const entry = log.entries[at]
    if (entry === undefined || entry.seq <= readSeq) break
    if (entry.kind === 'line') fresh.push(entry)
  }
  return fresh.reverse()
}

/** Notes are the node's own words, and what people say is no error. */
const isProgram = ({ stream, level }: LogLine): boolean => stream !== 'x' && level !== 'chat' && level !== 'join'

const atNewRun = ({ log, isFirst, nowMs, rules = noRules }: CardsSource): ErrorCards => ({
  ...noCards,
  word: 'running',
  readSeq: log.lastSeq,
  runSeq: log.lastSeq,
  rules,
  fromMs: isFirst ? nowMs : 0,
})

const isLine = (entry: LogEntry): entry is LogLine => entry.kind === 'line'

const linesAbove = (log: LogBuffer, seq: number): readonly string[] => {
  const at = log.entries.findLastIndex((entry) => isLine(entry) && entry.seq === seq)
  const above = log.entries.slice(Math.max(0, at - LINES_ABOVE), Math.max(0, at))
  return above.flatMap((entry) => (isLine(entry) && isProgram(entry) ? [entry.text] : []))
}

const withHits = (before: readonly KnownErrorHit[], lines: readonly LogLine[], log: LogBuffer) => {
  const after = withKnownErrors(before, lines)
  if (after === before) return before
  return after.map((hit) => (before.includes(hit) ? hit : { ...hit, above: linesAbove(log, hit.seq) }))
}

const newestMs = (log: LogBuffer): number => log.entries.findLast(isLine)?.atMs ?? 0

/** The cards after a change of the log, of the state or of staff's rules. They go when the server runs again. */
export const nextCards = (before: ErrorCards, source: CardsSource): ErrorCards => {
  const { log, word, rules = noRules } = source
  if (UNSEEN.includes(word)) return before
  if (word === 'running' && before.word !== 'running') return atNewRun(source)
  const fresh = freshLines(log, before.readSeq)
  const areRulesNew = rules !== before.rules
  if (fresh.length === 0 && word === before.word && !areRulesNew) return before
  const fromMs = Math.max(before.fromMs, newestMs(log) - SAME_RUN_MS)
  const ofRun = (lines: readonly LogLine[]) => lines.filter((line) => isProgram(line) && line.atMs >= fromMs)
  const lines = ofRun(fresh)
  return {
    ...before,
    word,
    rules,
    readSeq: fresh.at(-1)?.seq ?? before.readSeq,
    hits: withHits(before.hits, lines, log),
    // New rules read the whole run once more: they may arrive after its lines.
    staffHits: areRulesNew
      ? withStaffHits([], ofRun(freshLines(log, before.runSeq)), rules)
      : withStaffHits(before.staffHits, lines, rules),
  }
}

/** The reader closes a card. */
export const withoutCard = (before: ErrorCards, id: string): ErrorCards => ({
  ...before,
  closed: [...before.closed, id],
})

const isShown = ({ word }: ErrorCards): boolean => word !== undefined && SHOWN.includes(word)

const isStopped = ({ word }: ErrorCards): boolean => word !== undefined && STOPPED.includes(word)

export const shownCards = (cards: ErrorCards): readonly KnownErrorHit[] => {
  const open = cards.hits.filter(({ id }) => !cards.closed.includes(id))
  if (isShown(cards)) return open
  return isStopped(cards) ? open.filter(({ id }) => STAYS.includes(id)) : []
}

/** The cards of staff's rules. */
export const shownStaffCards = (cards: ErrorCards): readonly StaffHit[] =>
  isShown(cards) ? cards.staffHits.filter(({ id }) => !cards.closed.includes(id)) : []
