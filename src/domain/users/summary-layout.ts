/** The panels of the summary in their default order, which is also that of a phone. */
export const SUMMARY_PANELS = ['servers', 'waiting', 'due', 'balance', 'players', 'news', 'voting', 'guides'] as const
export type SummaryPanel = (typeof SUMMARY_PANELS)[number]

/** Where a panel stands on a wide screen. Its content is drawn for that width, so it moves within its column. */
export const COLUMN_OF_PANEL: Readonly<Record<SummaryPanel, 'main' | 'side'>> = {
  servers: 'main',
  waiting: 'side',
  due: 'side',
  balance: 'side',
  players: 'main',
  news: 'side',
  voting: 'side',
  guides: 'main',
}

/**
 * How a person has arranged the summary. A stored layout may name panels that this release does not know: those of a newer one, which
 * may be back tomorrow.
 */
export type StoredSummaryLayout = { readonly order: readonly string[]; readonly hidden: readonly string[] }

/** Each panel once, in order, and those of them that are not shown. */
export type SummaryLayout = { readonly order: readonly SummaryPanel[]; readonly hidden: readonly SummaryPanel[] }

export type SummaryLayoutChange =
  /** Puts a panel before another one, or at the end. */
  | { readonly kind: 'move'; readonly panel: SummaryPanel; readonly before: SummaryPanel | null }
  | { readonly kind: 'show'; readonly panel: SummaryPanel; readonly shown: boolean }
  | { readonly kind: 'reset' }

/** The layout of somebody who has arranged nothing. */
export const DEFAULT_SUMMARY_LAYOUT: SummaryLayout = { order: SUMMARY_PANELS, hidden: [] }

const isPanel = (name: string): name is SummaryPanel => (SUMMARY_PANELS as readonly string[]).includes(name)

const unique = (names: readonly string[]): string[] => [...new Set(names)]

/** A panel that the layout does not name stands behind the one that it follows by default, or else at the beginning. */
const withMissing = (order: readonly string[]): string[] => {
  const whole = unique(order)
  for (const [at, panel] of SUMMARY_PANELS.entries()) {
    if (whole.includes(panel)) continue
    const neighbour = SUMMARY_PANELS[at - 1]
    whole.splice(neighbour === undefined ? 0 : whole.indexOf(neighbour) + 1, 0, panel)
  }
  return whole
}

/** A layout with each panel of this release exactly once; new ones are shown at their default place. Unknown names stay where they are. */
export const completedSummary = ({ order, hidden }: StoredSummaryLayout): StoredSummaryLayout => ({
  order: withMissing(order),
  hidden: unique(hidden),
})

/** The part of a stored layout that this release can show. */
export const summaryOf = (stored: StoredSummaryLayout): SummaryLayout => {
  const { order, hidden } = completedSummary(stored)
  return { order: order.filter(isPanel), hidden: hidden.filter(isPanel) }
}

/**
 * A layout after one change. Changes name one panel and its new neighbour, never the whole order, so that those of two windows are both
 * kept. A change that was already made changes nothing.
 */
export const changedSummary = (stored: StoredSummaryLayout, change: SummaryLayoutChange): StoredSummaryLayout => {
  if (change.kind === 'reset') return { order: [], hidden: [] }
  const { order, hidden } = completedSummary(stored)
  if (change.kind === 'show') {
    const others = hidden.filter((name) => name !== change.panel)
    return { order, hidden: change.shown ? others : [...others, change.panel] }
  }
  if (change.before === change.panel) return { order, hidden }
  const others = order.filter((name) => name !== change.panel)
  const at = change.before === null ? others.length : others.indexOf(change.before)
  return { order: others.toSpliced(at, 0, change.panel), hidden }
}

/**
 * In front of which panel one lands that is put to the end of `shown`, the panels that stand in its column; null is the end of the whole
 * order. It lands directly behind the last of them, so that it passes nothing of the other column: a narrow screen shows both as one.
 */
export const columnEnd = (
  order: readonly SummaryPanel[],
  shown: readonly SummaryPanel[],
  panel: SummaryPanel,
): SummaryPanel | null =>
  // One that is the last already stays where it is.
  order[order.indexOf(shown.at(-1) ?? panel) + 1] ?? null

/**
 * In front of which panel one lands that is moved a step up or down among `shown`, the panels that stand in its column; null is the end of
 * the column, undefined is no step.
 */
export const steppedPanel = (
  shown: readonly SummaryPanel[],
  panel: SummaryPanel,
  step: -1 | 1,
): SummaryPanel | null | undefined => {
  const at = shown.indexOf(panel)
  const target = at + step
  if (at === -1 || target < 0 || target >= shown.length) return undefined
  return step === -1 ? shown[target] : (shown[target + 1] ?? null)
}
