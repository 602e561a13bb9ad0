/** How often each process of the control plane beats. */
export const BEAT_EVERY_MS = 5_000

/** Without a beat for this long, what the control plane wrote last is told with its age. */
export const STALE_AFTER_MS = 15_000

/** The calls whose answers tell their age, once they have one, in whole seconds by the header `Age`. */
export const AGED_PATHS: readonly string[] = [
  '/api/user/me',
  '/api/user/servers',
  '/api/user/notifications',
  '/api/balance',
]

/** The columns of `control_api.heartbeat` that tell the time, as JSON has them; null where no control plane has beaten yet. */
export type Beat = { readonly beaten_at: string | null; readonly age_ms: number | null }

/** Of which moment the rows of schema `control_api` tell. */
export type Freshness = {
  /** The present, by the control plane's clock. */
  readonly presentMs: number
  /** The moment up to which somebody has kept the rows true: the present, as long as a control plane runs. */
  readonly asOfMs: number
  /** Whole seconds since then, null as long as a control plane runs. */
  readonly ageSeconds: number | null
}

/** Reads a beat. Before the first one, as after an update, nothing is known and the rows count as fresh; `nowMs` is then the present. */
export const freshnessOf = ({ beaten_at: beatenAt, age_ms: ageMs }: Beat, nowMs: number): Freshness => {
  if (beatenAt === null || ageMs === null) return { presentMs: nowMs, asOfMs: nowMs, ageSeconds: null }
  const beatenAtMs = Date.parse(beatenAt)
  const presentMs = Math.round(beatenAtMs + ageMs)
  if (ageMs <= STALE_AFTER_MS) return { presentMs, asOfMs: presentMs, ageSeconds: null }
  return { presentMs, asOfMs: beatenAtMs, ageSeconds: Math.floor(ageMs / 1_000) }
}
