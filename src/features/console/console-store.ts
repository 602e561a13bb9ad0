import { ServerStats } from '#contracts/panel/messages.ts'
import type { ConsoleLine, PanelServerMessage } from '#contracts/panel/messages.ts'
import type { ServerWord } from '#domain/servers/status.ts'
import { parseJson } from '@/features/realtime/socket.ts'
import { liveWord } from './live-word.ts'
import { appendDropped, appendLines, emptyLog, prependLines } from './log-buffer.ts'
import type { LogBuffer } from './log-buffer.ts'
import type { PanelLinkState } from './panel-link.ts'
import { withSample } from './stats-samples.ts'
import type { Sample } from './stats-samples.ts'

export type ConsoleState = {
  readonly link: PanelLinkState
  readonly log: LogBuffer
  /** The lowest number that the node still holds in its file; 0 while that is not known. */
  readonly firstSeq: number
  readonly word: ServerWord | undefined
  readonly stats: ServerStats | null
  readonly samples: readonly Sample[]
  readonly install: 'none' | 'running' | 'done' | 'failed'
  /** The last sentence of the node, and whether it is a refusal. */
  readonly notice: { readonly text: string; readonly tone: 'plain' | 'stop' } | null
}

export const closedConsole: ConsoleState = {
  link: { kind: 'connecting' },
  log: emptyLog,
  firstSeq: 0,
  word: undefined,
  stats: null,
  samples: [],
  install: 'none',
  notice: null,
}

export type ConsoleStore = {
  get: () => ConsoleState
  subscribe: (listener: () => void) => () => void
  receive: (message: PanelServerMessage) => void
  setLink: (link: PanelLinkState) => void
  dismissNotice: () => void
  lastSeq: () => number
}

const statsChange = (state: ConsoleState, text: string, nowMs: number): Partial<ConsoleState> | undefined => {
  const parsed = ServerStats.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const samples = withSample(state, parsed.data, nowMs)
  return { stats: parsed.data, samples, word: liveWord(parsed.data.state) ?? state.word }
}

/** What one message of the node changes; undefined when it changes nothing that is shown. */
const changeOf = (
  state: ConsoleState,
  message: PanelServerMessage,
  nowMs: number,
): Partial<ConsoleState> | undefined => {
  switch (message.event) {
    case 'auth success':
      return { firstSeq: message.args[0].firstSeq, notice: null }
    case 'console history':
      return { log: prependLines(state.log, message.args[0].lines) }
    case 'dropped':
      return { log: appendDropped(state.log, message.args[0]) }
    case 'status':
      return { word: liveWord(message.args[0]) ?? state.word }
    case 'stats':
      return statsChange(state, message.args[0], nowMs)
    case 'install started':
      return { install: 'running', word: 'installing' }
    case 'install completed':
      return { install: message.args[0] ? 'done' : 'failed' }
    case 'throttled':
    case 'daemon message':
      return { notice: { text: message.args[0], tone: 'plain' } }
    case 'daemon error':
    case 'jwt error':
      return { notice: { text: message.args[0], tone: 'stop' } }
    default:
      return undefined
  }
}

type Deps = { now: () => number; soon: (run: () => void) => void }

/** Live state of one console. Lines are gathered and drawn once a frame, however fast the server prints. */
export const createConsoleStore = (deps: Deps): ConsoleStore => {
  let state = closedConsole
  let waiting: ConsoleLine[] = []
  let isScheduled = false
  const listeners = new Set<() => void>()

  const set = (change: Partial<ConsoleState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const flush = () => {
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    const log = appendLines(state.log, batch)
    if (log !== state.log) set({ log })
  }
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    deps.soon(() => {
      isScheduled = false
      flush()
    })
  }
  const receive = (message: PanelServerMessage) => {
    if (message.event === 'console output') {
      waiting.push(...message.args[0])
      return schedule()
    }
    // What follows lines is drawn after them.
    flush()
    const change = changeOf(state, message, deps.now())
    if (change) set(change)
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    receive,
    setLink: (link) => set({ link }),
    dismissNotice: () => set({ notice: null }),
    lastSeq: () => {
      flush()
      return state.log.lastSeq
    },
  }
}
