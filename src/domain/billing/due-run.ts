/**
 * One run over everything that is due. It goes by an id that no work on a row changes, and its bound is fixed when it starts: rows that
 * leave the filter while the run works on them make no other row be skipped (T31), and a row that is due again is left to the next run.
 */
export type DueRun = {
  readonly dueUntilMs: number
  /** Only rows with a greater id come next; undefined before the first page. */
  readonly afterId: string | undefined
  readonly limit: number
  readonly isDone: boolean
}

export const DUE_PAGE = 200

/** Begins a run over all that is due at `nowMs`. */
export const startRun = (nowMs: number, limit = DUE_PAGE): DueRun => ({
  dueUntilMs: nowMs,
  afterId: undefined,
  limit,
  isDone: false,
})

/** The run after a page was worked through, whether its rows succeeded or not. `ids` are those of the page, in ascending order. */
export function afterPage(run: DueRun, ids: readonly string[]): DueRun {
  const last = ids.at(-1)
  return { ...run, afterId: last ?? run.afterId, isDone: ids.length < run.limit }
}
