export type MessageTime = { readonly fromMs: number | null; readonly toMs: number | null }
export type Reader = 'public' | 'customers' | 'staff'
type Rule = MessageTime & { readonly audience: Reader; readonly severity: 'info' | 'warning' | 'error' }

const circles: Readonly<Record<Reader, readonly Reader[]>> = {
  public: ['public'],
  customers: ['public', 'customers'],
  staff: ['public', 'customers', 'staff'],
}
const gravest = ['error', 'warning', 'info'] as const

/** Whether a message is shown at a given time: from its beginning until before its end; either may be missing. */
export const isCurrent = ({ fromMs, toMs }: MessageTime, nowMs: number): boolean =>
  (fromMs === null || fromMs <= nowMs) && (toMs === null || nowMs < toMs)

/**
 * The messages that a reader sees at a given time (clarifications part 3): public ones for everybody, those for
 * customers when signed in, and all of them for staff. The most severe first; messages of equal severity keep their
 * order.
 */
export const visibleMessages = <Message extends Rule>(
  messages: readonly Message[],
  reader: Reader,
  nowMs: number,
): Message[] =>
  messages
    .filter((message) => circles[reader].includes(message.audience) && isCurrent(message, nowMs))
    .toSorted((one, other) => gravest.indexOf(one.severity) - gravest.indexOf(other.severity))
