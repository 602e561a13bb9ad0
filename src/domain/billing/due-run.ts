/**
 * One run over everything that is due. It pages by an id that no work on a row changes, and its bound is fixed at the
 * start: rows that leave the filter meanwhile cause no other row to be skipped (T31), and a row that becomes due again
 * is left to the next run.
 */
export type DueRun = {
  readonly dueUntilMs: number
  /** Only rows with a greater id follow; undefined before the first page. */
  readonly afterId: string | undefined
  readonly limit: number
  readonly isDone: boolean
}

export const DUE_PAGE = 200

/** Begins a run over everything due at `nowMs`. */
export const startRun = (nowMs: number, limit = DUE_PAGE): DueRun => ({
  dueUntilMs: nowMs,
  afterId: undefined,
  limit,
  isDone: false,
})

/**
 * The run after a page was handled, whether its rows succeeded or not. `ids` are those of the page, in ascending order.
 */
export function afterPage(run: DueRun, ids: readonly string[]): DueRun {
  const last = ids.at(-1)
  return { ...run, afterId: last ?? run.afterId, isDone: ids.length < run.limit }
}
