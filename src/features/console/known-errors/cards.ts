import type { KnownErrorHit } from '#domain/known-errors/match.ts'
import { withKnownErrors } from '#domain/known-errors/match.ts'
import type { KnownErrorId } from '#domain/known-errors/rules.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import type { LogBuffer, LogLine } from '../log/log-buffer.ts'

/** Lines that are older than the newest one by more belong to an earlier run. */
const SAME_RUN_MS = 10 * 60_000
/** A server that was stopped or has no program has no error to put right. */
const SHOWN: readonly ServerWord[] = ['crashed', 'error on startup', 'starting', 'running']

/** These states describe the machine. The server's run goes on meanwhile. */
const UNSEEN: readonly ServerWord[] = ['nodeoffline', 'unknown']

export type ErrorCards = {
  readonly word: ServerWord | undefined
  readonly hits: readonly KnownErrorHit[]
  /** What the reader has closed; a further run may show it again. */
  readonly closed: readonly KnownErrorId[]
  readonly readSeq: number
  /** Lines before this time are from before the page saw the server running. */
  readonly fromMs: number
}

export const noCards: ErrorCards = { word: undefined, hits: [], closed: [], readSeq: 0, fromMs: 0 }

/** The state of the page that cards depend on. `isFirst`: the state has not changed since the page opened. */
export type CardsSource = {
  readonly log: LogBuffer
  readonly word: ServerWord
  readonly isFirst: boolean
  readonly nowMs: number
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

const atNewRun = ({ log, isFirst, nowMs }: CardsSource): ErrorCards => ({
  ...noCards,
  word: 'running',
  readSeq: log.lastSeq,
  fromMs: isFirst ? nowMs : 0,
})

/** The cards after a change of the log or of the state. They go when the server runs again. */
export const nextCards = (before: ErrorCards, source: CardsSource): ErrorCards => {
  const { log, word } = source
  if (UNSEEN.includes(word)) return before
  if (word === 'running' && before.word !== 'running') return atNewRun(source)
  const fresh = freshLines(log, before.readSeq)
  if (fresh.length === 0 && word === before.word) return before
  const fromMs = Math.max(before.fromMs, (fresh.at(-1)?.atMs ?? 0) - SAME_RUN_MS)
  const lines = fresh.filter((line) => isProgram(line) && line.atMs >= fromMs)
  const readSeq = fresh.at(-1)?.seq ?? before.readSeq
  return { ...before, word, readSeq, hits: withKnownErrors(before.hits, lines) }
}

/** The reader closes a card. */
export const withoutCard = (before: ErrorCards, id: KnownErrorId): ErrorCards => ({
  ...before,
  closed: [...before.closed, id],
})

export const shownCards = ({ word, hits, closed }: ErrorCards): readonly KnownErrorHit[] =>
  word === undefined || !SHOWN.includes(word) ? [] : hits.filter(({ id }) => !closed.includes(id))
