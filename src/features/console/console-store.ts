import { PANEL_LIMITS, ServerStats } from '#contracts/panel/messages.ts'
import type { ConsoleLine, PanelServerMessage, ProgramEnd } from '#contracts/panel/messages.ts'
import type { StatsHistory } from '#contracts/panel/stats-history.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { parseJson } from '@/lib/realtime/socket.ts'
import { liveWord } from './live-word.ts'
import { appendDropped, appendEcho, appendLines, atEnd, emptyLog, firstHeld, prependLines } from './log/log-buffer.ts'
import type { LogBuffer, LogRoom, SayNote } from './log/log-buffer.ts'
import type { PanelLinkState } from './panel-link.ts'
import { withEarlier, withSample } from './stats/stats-samples.ts'
import type { Sample } from './stats/stats-samples.ts'

export type ConsoleState = {
  readonly link: PanelLinkState
  readonly log: LogBuffer
  /** The node's response about the lines before number `first`, which was the oldest line at that time. */
  readonly older: { readonly kind: 'unknown' } | { readonly kind: 'end'; readonly lost: number; readonly first: number }
  /** The number before which older lines were requested; 0 without a request. */
  readonly askedBefore: number
  readonly word: ServerWord | undefined
  /** When this page last saw the state change, by its own clock; 0 if it has not changed since the page opened. */
  readonly wordSinceMs: number
  /** How the program last ended; null if unknown. */
  readonly end: ProgramEnd | null
  /** When the node restarts it, by this page's clock; 0 if it does not, or has not said. */
  readonly restartAtMs: number
  readonly stats: ServerStats | null
  readonly samples: readonly Sample[]
  readonly history: StatsHistory | null
  readonly install: 'none' | 'running' | 'done' | 'failed'
  /** The last message of the node, and whether it is a refusal. */
  readonly notice: { readonly text: string; readonly tone: 'plain' | 'stop' } | null
}

export const closedConsole: ConsoleState = {
  link: { kind: 'connecting' },
  log: emptyLog,
  older: { kind: 'unknown' },
  askedBefore: 0,
  word: undefined,
  wordSinceMs: 0,
  end: null,
  restartAtMs: 0,
  stats: null,
  samples: [],
  history: null,
  install: 'none',
  notice: null,
}

export type ConsoleStore = {
  get: () => ConsoleState
  subscribe: (listener: () => void) => () => void
  /** Like `subscribe`, without new lines: for readers of the state and the link. */
  watch: (listener: () => void) => () => void
  receive: (message: PanelServerMessage) => void
  setLink: (link: PanelLinkState) => void
  /** Shows a command in the log that this page has sent. */
  sent: (command: string) => void
  /** Records that older lines were requested. */
  asked: (before: number) => void
  dismissNotice: () => void
  /** While the reader is above the end, new lines do not push out the lines being read. */
  hold: (isHeld: boolean) => void
  /** Leaves an older section for the end of the log. */
  toEnd: () => void
  lastSeq: () => number
}

type Change = Partial<ConsoleState>

const wordChange = (state: ConsoleState, text: string, nowMs: number): Change => {
  const word = liveWord(text) ?? state.word
  if (word === state.word) return {}
  return { word, wordSinceMs: state.word === undefined ? 0 : nowMs }
}

const statsChange = (state: ConsoleState, text: string, nowMs: number): Change | undefined => {
  const parsed = ServerStats.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const samples = withSample(state, parsed.data, nowMs)
  return { stats: parsed.data, samples, ...wordChange(state, parsed.data.state, nowMs) }
}

type StatusMessage = Extract<PanelServerMessage, { event: 'status' }>

/** A new state clears the last end; the node reports the end that led to this one. */
const statusChange = (state: ConsoleState, { args }: StatusMessage, nowMs: number): Change => {
  const end = args[1] ?? null
  const waitMs = end?.restartInMs ?? null
  return { ...wordChange(state, args[0], nowMs), end, restartAtMs: waitMs === null ? 0 : nowMs + waitMs }
}

type DaemonMessage = Extract<PanelServerMessage, { event: 'daemon message' }>

const saidText = ([text, note]: DaemonMessage['args'], say: SayNote | undefined): string =>
  (note === undefined ? undefined : say?.(note)) ?? text

type HistoryMessage = Extract<PanelServerMessage, { event: 'console history' }>

/** A page of older lines; without new ones there is nothing more to request. */
const historyChange = (state: ConsoleState, page: HistoryMessage['args'][0], room: LogRoom): Change => {
  const log = prependLines(state.log, page.lines, room)
  const isEnd = page.isStart || page.lines.length === 0
  return {
    log,
    askedBefore: 0,
    older: isEnd ? { kind: 'end', lost: page.lost, first: firstHeld(log) } : { kind: 'unknown' },
  }
}

/** The change by one message of the node; undefined if nothing visible changes. */
const changeOf = (
  state: ConsoleState,
  message: PanelServerMessage,
  { nowMs, room }: { nowMs: number; room: LogRoom },
): Change | undefined => {
  switch (message.event) {
    case 'auth success':
      return { notice: null, askedBefore: 0 }
    case 'console history':
      return historyChange(state, message.args[0], room)
    case 'stats history':
      return { history: message.args[0], samples: withEarlier(state.samples, message.args[0]) }
    case 'dropped':
      return { log: appendDropped(state.log, message.args[0], room) }
    case 'status':
      return statusChange(state, message, nowMs)
    case 'stats':
      return statsChange(state, message.args[0], nowMs)
    case 'install started':
      return { install: 'running', word: 'installing' }
    case 'install completed':
      return { install: message.args[0] ? 'done' : 'failed' }
    case 'throttled':
      // The reader can repeat the request; commands have their own sender.
      return message.args[0] === 'send history' ? { askedBefore: 0 } : undefined
    case 'daemon message':
      return { notice: { text: saidText(message.args, room.say), tone: 'plain' } }
    default:
      return undefined
  }
}

type Deps = { now: () => number; soon: (run: () => void) => void; say?: SayNote }
// A background page draws no frames: its queue is bounded by drawing without one.
const mostWaiting = 2_000

/** Messages whose place among the lines matters, whether or not the log is drawn. */
const isAmongLines = ({ event }: PanelServerMessage): boolean => event === 'dropped' || event === 'console history'

/**
 * Live state of one console. Lines are batched and drawn once per frame, however fast the server prints. While nobody
 * looks at the log its lines wait unread: the panel's other pages do not pay for them.
 */
export const createConsoleStore = (deps: Deps): ConsoleStore => {
  let state = closedConsole
  let waiting: ConsoleLine[] = []
  let isScheduled = false
  let isHeld = false
  const listeners = new Set<() => void>()
  const watchers = new Set<() => void>()

  const set = (change: Change) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
    if (Object.keys(change).some((key) => key !== 'log')) for (const watcher of watchers) watcher()
  }
  const saying = deps.say === undefined ? {} : { say: deps.say }
  const room = (): LogRoom => ({ limit: PANEL_LIMITS.linesShown, isHeld, ...saying })
  const flush = () => {
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    const log = appendLines(state.log, batch, room())
    if (log !== state.log) set({ log })
  }
  const schedule = () => {
    if (isScheduled || listeners.size === 0) return
    isScheduled = true
    deps.soon(() => {
      isScheduled = false
      flush()
    })
  }
  const receive = (message: PanelServerMessage) => {
    if (message.event === 'console output') {
      for (const line of message.args[0]) waiting.push(line)
      return waiting.length > mostWaiting ? flush() : schedule()
    }
    // Anything after lines is drawn after them.
    if (listeners.size > 0 || isAmongLines(message)) flush()
    const change = changeOf(state, message, { nowMs: deps.now(), room: room() })
    if (change) set(change)
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      flush()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watch: (listener) => {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
    receive,
    setLink: (link) => set({ link }),
    sent: (command) => {
      flush()
      set({ log: appendEcho(state.log, { text: command, atMs: deps.now() }, room()) })
    },
    asked: (before) => set({ askedBefore: before }),
    dismissNotice: () => set({ notice: null }),
    hold: (held) => {
      isHeld = held
    },
    toEnd: () => {
      flush()
      set({ log: atEnd(state.log), older: { kind: 'unknown' }, askedBefore: 0 })
    },
    lastSeq: () => {
      flush()
      return state.log.lastSeq
    },
  }
}
