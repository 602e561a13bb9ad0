export type QueueAct = 'next' | 'previous' | 'take' | 'end' | 'reply' | 'saved reply' | 'find' | 'keys'

const ACTS: Readonly<Record<string, QueueAct>> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  a: 'take',
  e: 'end',
  r: 'reply',
  m: 'saved reply',
  '/': 'find',
  '?': 'keys',
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** The act of a key in the queue. Keys of the browser and of assistive technology keep their meaning. */
export const queueAct = ({ key, ctrlKey, altKey, metaKey }: Pressed): QueueAct | undefined =>
  ctrlKey || altKey || metaKey || !Object.hasOwn(ACTS, key) ? undefined : ACTS[key]

/** The row that a step reaches; the ends hold. Undefined in an empty list. */
export const stepTo = (
  ids: readonly string[],
  from: string | undefined,
  act: 'next' | 'previous',
): string | undefined => {
  const at = from === undefined ? -1 : ids.indexOf(from)
  if (at === -1) return ids[0]
  return ids[Math.min(ids.length - 1, Math.max(0, at + (act === 'next' ? 1 : -1)))]
}

/** The row at the place of one that left the list; the last one if it was below the end. */
export const inPlaceOf = (ids: readonly string[], index: number): string | undefined =>
  ids[Math.min(index, ids.length - 1)]
