import type { AgentEvent } from '#contracts/agent/session.ts'

type WithoutFields<T> = T extends unknown ? Omit<T, 'seq' | 'atMs'> : never
export type OutboxEvent = WithoutFields<AgentEvent>

const MAX_DETAIL = { activity: 500, 'node.alarm': 500, 'command.finished': 2_000 } as const
const isHighSurrogate = (text: string): boolean => /[\uD800-\uDBFF]$/.test(text)

/** Text that every store accepts: no NUL, no half of a character, and at most `max` UTF-16 units. */
const storableText = (text: string, max: number): string => {
  const short = text.replaceAll('\0', '').slice(0, max)
  return Buffer.from(isHighSurrogate(short) ? short.slice(0, -1) : short).toString('utf8')
}

/**
 * The event with texts that the contract and the database accept. They contain input of customers and output of
 * programs, and one event refused for ever would block all later ones of the node.
 */
export const storable = (event: OutboxEvent): OutboxEvent =>
  'detail' in event ? { ...event, detail: storableText(event.detail, MAX_DETAIL[event.kind]) } : event
