import type { Timers } from '../../platform/timers.ts'
import type { DockerEngine } from './engine.ts'

/** An event of a container, image or network. Names are the engine's: `die`, `oom`, `start`, `destroy`, … */
export interface EngineEvent {
  readonly type: 'container' | 'image' | 'network'
  readonly action: string
  /** Id of the container or network, reference of the image. */
  readonly id: string
  readonly attributes: Readonly<Record<string, string>>
  readonly atMs: number
}

export interface EventListener {
  event(event: EngineEvent): void
  /**
   * The stream was opened, initially or again, and events may have been missed: list the objects and compare. Called
   * after the opening, so that nothing is lost between the list and the first event.
   */
  resync(): void
  /** The engine does not respond. The state of containers is unknown until the next `resync`. Called once per loss. */
  lost(reason: string): void
}

/** How soon a hang is noticed: after one period and one time-out. */
export interface EventPace {
  readonly pingEveryMs: number
  readonly pingTimeoutMs: number
}
export const EVENT_PACE: EventPace = { pingEveryMs: 10_000, pingTimeoutMs: 5_000 }
const RETRY_FIRST_MS = 250
const RETRY_MOST_MS = 10_000
/** A longer line is not an event. */
const MAX_LINE = 1 << 20

const TYPES: ReadonlySet<string> = new Set(['container', 'image', 'network'])

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined

/** Parses one line of the engine's stream; undefined for irrelevant events. */
export const parseEvent = (line: string): EngineEvent | undefined => {
  let told: unknown
  try {
    told = JSON.parse(line)
  } catch {
    return undefined
  }
  const type = field(told, 'Type')
  const action = field(told, 'Action')
  const id = field(field(told, 'Actor'), 'ID')
  if (typeof type !== 'string' || !TYPES.has(type) || typeof action !== 'string' || typeof id !== 'string')
    return undefined
  const attributes = field(field(told, 'Actor'), 'Attributes')
  const seconds = field(told, 'time')
  return {
    type: type as EngineEvent['type'],
    action,
    id,
    attributes: Object.fromEntries(
      Object.entries(attributes ?? {}).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    ),
    atMs: typeof seconds === 'number' ? seconds * 1000 : 0,
  }
}

/** Splits text that arrives in chunks into lines and calls `line` for each. */
export const lineReader = (line: (text: string) => void): ((piece: string) => void) => {
  let rest = ''
  return (piece) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE) rest = ''
    for (const text of lines) if (text !== '') line(text)
  }
}

/**
 * Follows the engine's events until `life` is aborted. An ended stream, or an engine that does not answer a ping, is a
 * loss; the stream is reopened with growing delays, and every opening calls `resync`.
 */
export const followEvents = (
  deps: { readonly engine: DockerEngine; readonly timers: Timers; readonly pace?: EventPace },
  listener: EventListener,
  life: AbortSignal,
): void => {
  const { engine, timers, pace = EVENT_PACE } = deps
  let failures = 0
  let isLost = false
  let stop = (): void => {}
  life.addEventListener('abort', () => stop(), { once: true })

  const again = (reason: string): void => {
    if (life.aborted) return
    if (!isLost) listener.lost(reason)
    isLost = true
    const pauseMs = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** failures)
    failures += 1
    stop = timers.after(pauseMs, () => void open())
  }

  const open = async (): Promise<void> => {
    if (life.aborted) return
    const stream = new AbortController()
    const filters = JSON.stringify({ type: [...TYPES] })
    const opened = await engine.open(
      'send its events',
      (docker) => docker.getEvents({ filters }),
      AbortSignal.any([life, stream.signal]),
    )
    if (!opened.ok) return again(opened.message)
    let hasEnded = false
    const stopPings = timers.every(pace.pingEveryMs, () => void ping())
    const end = (reason: string): void => {
      if (hasEnded) return
      hasEnded = true
      stopPings()
      stream.abort()
      again(reason)
    }
    const ping = async (): Promise<void> => {
      const answer = await engine.ask('answer a ping', (docker) => docker.ping(), pace.pingTimeoutMs)
      if (!answer.ok) end(answer.message)
    }
    const read = lineReader((text) => {
      const event = parseEvent(text)
      if (event && !hasEnded) listener.event(event)
    })
    opened.value.setEncoding('utf8')
    opened.value.on('data', (piece: string) => read(piece))
    opened.value.on('error', (error: Error) => end(error.message))
    opened.value.on('close', () => end('the stream of events ended'))
    opened.value.on('end', () => end('the stream of events ended'))
    stop = () => end('closed')
    failures = 0
    isLost = false
    listener.resync()
  }
  void open()
}
