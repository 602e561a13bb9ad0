import { CONTEXT_BOUNDS, contextLines } from '#domain/tickets/server-context.ts'
import { TAIL_BOUNDS, type FromAgent, type ToAgent } from '#contracts/agent/session.ts'
import { Id } from '#contracts/primitives.ts'
import * as z from 'zod'
import type { Context } from '../../platform/context.ts'
import type { BusEvent, EventBus } from '../../platform/event-bus.ts'
import { isCapable, isReachable } from '../store/node-store.ts'

const ASKED = 'console-tail-asked'
const TOLD = 'console-tail'
/** A node on the other side of the world answers within it. */
const WAIT_MS = 3_000

type Question = Extract<ToAgent, { type: 'tail' }>
const AskedTail = z.object({ id: Id, nodeId: Id, serverId: Id })
const TailLines = z.object({ atMs: z.int(), lines: z.array(z.string()).max(CONTEXT_BOUNDS.lines) })
const ToldTail = z.object({ id: Id, nodeId: Id, tail: TailLines.nullable() })

/** The last lines of a console, redacted; `away` if its node does not tell them, `empty` where there are none. */
export type ReadTail = z.infer<typeof TailLines> | 'away' | 'empty'

/** The question that an event of the bus has for a node; undefined for every other event. */
export function questionOf({ topic, data }: BusEvent): { nodeId: string; message: Question } | undefined {
  const asked = topic === ASKED ? AskedTail.safeParse(data) : undefined
  if (!asked?.success) return undefined
  const { id, nodeId, serverId } = asked.data
  return { nodeId, message: { type: 'tail', id, serverId } }
}

/** The event that brings a node's answer to the process that asked. It is redacted first, because events may be stored. */
export const toldTail = (nodeId: string, { id, tail }: Extract<FromAgent, { type: 'tail' }>): BusEvent => ({
  topic: TOLD,
  data: { id, nodeId, tail: tail && { atMs: tail.atMs, lines: [...contextLines(tail.lines, TAIL_BOUNDS.line)] } },
})

/** So many questions of a session wait for their answers; an older one has its end behind it. */
const MAX_QUESTIONS = 200

/** The questions that one session was asked. Each is answered once; whatever a node says unasked is worth no work. */
export class TailQuestions {
  readonly #open = new Set<string>()

  /** The question as it is asked of the session. */
  asked(question: Question): Question {
    this.#open.add(question.id)
    for (const oldest of this.#open) if (this.#open.size > MAX_QUESTIONS) this.#open.delete(oldest)
    return question
  }

  /** Whether the question was open. It is closed by this. */
  close(id: string): boolean {
    return this.#open.delete(id)
  }
}

/**
 * Passes a node's answer on if its session was asked for it. Nobody but whoever asked misses it, so that a bus that fails ends no session of a node.
 */
export async function tellTail(
  { bus, log }: Pick<Context, 'log'> & { bus: EventBus },
  { nodeId, questions }: { nodeId: string; questions: TailQuestions },
  answer: Extract<FromAgent, { type: 'tail' }>,
): Promise<void> {
  if (!questions.close(answer.id)) return
  await bus.publish(toldTail(nodeId, answer)).catch((error: Error) => {
    log.error({ nodeId, reason: error.message }, 'the lines of a console could not be passed on')
  })
}

/** Asks the node of a server for the last lines of its console, through whichever process holds the node's session, and waits so long for them. */
export async function readConsoleTail(
  { db, ids, clock, bus }: Pick<Context, 'db' | 'ids' | 'clock'> & { bus: EventBus },
  server: { nodeId: string; serverId: string },
  waitMs = WAIT_MS,
): Promise<ReadTail> {
  const { nodeId } = server
  const canTell = (await isReachable(db, nodeId, clock.now())) && (await isCapable(db, nodeId, 'console.tail'))
  if (!canTell) return 'away'
  const id = ids.next()
  const answer = answerTo(bus, { id, nodeId, waitMs })
  try {
    await bus.publish({ topic: ASKED, data: { id, ...server } })
    return await answer.told
  } finally {
    answer.stop()
  }
}

/** Waits for the answer of one node to one question. */
function answerTo(bus: EventBus, { id, nodeId, waitMs }: { id: string; nodeId: string; waitMs: number }) {
  let stop = () => {}
  const told = new Promise<ReadTail>((resolve) => {
    const timer = setTimeout(() => resolve('away'), waitMs)
    const leave = bus.onEvent(({ topic, data }) => {
      const heard = topic === TOLD ? ToldTail.safeParse(data) : undefined
      if (!heard?.success || heard.data.id !== id || heard.data.nodeId !== nodeId) return
      const { tail } = heard.data
      resolve(tail && tail.lines.length > 0 ? tail : 'empty')
    })
    stop = () => {
      clearTimeout(timer)
      leave()
    }
  })
  return { told, stop: () => stop() }
}
