import type { ShownWord } from '#domain/servers/status.ts'

/** Worst first: the headline reports only the worst state. */
export const watchKinds = [
  'crashed',
  'errorOnStartup',
  'expired',
  'maintenance',
  'suspended',
  'installing',
  'moving',
  'fine',
  'none',
] as const
export type WatchKind = (typeof watchKinds)[number]
export type WatchReport = {
  readonly kind: WatchKind
  readonly count: number
  /**
   * How many of the others are fine or in progress; 0 if more than one thing is wrong, to avoid a false reassurance.
   */
  readonly others: number
}

const kindOf: Readonly<Record<ShownWord, WatchKind>> = {
  crashed: 'crashed',
  'error on startup': 'errorOnStartup',
  expired: 'expired',
  nodeoffline: 'maintenance',
  unknown: 'maintenance',
  suspended: 'suspended',
  installing: 'installing',
  starting: 'moving',
  stopping: 'moving',
  running: 'fine',
  healthy: 'fine',
  offline: 'fine',
}

const well: readonly WatchKind[] = ['installing', 'moving', 'fine']

/** The summary's opening sentence, from the states of all servers. */
export const watchReport = (words: readonly ShownWord[]): WatchReport => {
  if (words.length === 0) return { kind: 'none', count: 0, others: 0 }
  const kind = watchKinds.find((candidate) => words.some((word) => kindOf[word] === candidate)) ?? 'fine'
  const count = words.filter((word) => kindOf[word] === kind).length
  const rest = words.filter((word) => kindOf[word] !== kind)
  const isRestWell = rest.every((word) => well.includes(kindOf[word]))
  return { kind, count, others: isRestWell ? rest.length : 0 }
}

/** How many servers have each state, in the board's order. */
export const countWords = (words: readonly ShownWord[]): readonly { word: ShownWord; count: number }[] => {
  const order: readonly ShownWord[] = [
    'running',
    'crashed',
    'error on startup',
    'expired',
    'nodeoffline',
    'unknown',
    'suspended',
    'stopping',
    'starting',
    'installing',
    'healthy',
    'offline',
  ]
  return order
    .map((word) => ({ word, count: words.filter((candidate) => candidate === word).length }))
    .filter(({ count }) => count > 0)
}
