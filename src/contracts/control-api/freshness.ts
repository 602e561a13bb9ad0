/** The heartbeat interval of each control plane process. */
export const BEAT_EVERY_MS = 5_000

/** After this long without a heartbeat, the control plane's data are served with their age. */
export const STALE_AFTER_MS = 15_000

/** The calls whose responses carry their age in whole seconds in the header `Age`, once there is one. */
export const AGED_PATHS: readonly string[] = [
  '/api/user/me',
  '/api/user/servers',
  '/api/user/notifications',
  '/api/balance',
]

/** The time columns of `control_api.heartbeat`, as JSON; null before any control plane has sent a heartbeat. */
export type Beat = { readonly beaten_at: string | null; readonly age_ms: number | null }

/** The time for which the rows of schema `control_api` are valid. */
export type Freshness = {
  /** The current time, by the control plane's clock. */
  readonly presentMs: number
  /** The time up to which the rows were kept current: now, while a control plane runs. */
  readonly asOfMs: number
  /** Whole seconds since then, null while a control plane runs. */
  readonly ageSeconds: number | null
}

/**
 * Interprets a heartbeat. Before the first one, as after an update, the rows count as fresh; `nowMs` is then the
 * current time.
 */
export const freshnessOf = ({ beaten_at: beatenAt, age_ms: ageMs }: Beat, nowMs: number): Freshness => {
  if (beatenAt === null || ageMs === null) return { presentMs: nowMs, asOfMs: nowMs, ageSeconds: null }
  const beatenAtMs = Date.parse(beatenAt)
  const presentMs = Math.round(beatenAtMs + ageMs)
  if (ageMs <= STALE_AFTER_MS) return { presentMs, asOfMs: presentMs, ageSeconds: null }
  return { presentMs, asOfMs: beatenAtMs, ageSeconds: Math.floor(ageMs / 1_000) }
}
