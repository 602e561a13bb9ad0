import { screenTimes } from '../../ui/screen/screen-times.ts'

const storageKey = 'bakter:chunk-reload'

/** Whether an error means that a script chunk could not be loaded, in the words of each browser. */
export const isChunkFailure = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  return (
    error.name === 'ChunkLoadError' ||
    /loading (?:css )?chunk|failed to load chunk|dynamically imported module|importing a module script failed/i.test(
      error.message,
    )
  )
}

/**
 * Specification section 8: one reload, at most once per 60 seconds. Whether to reload now, given the time of the last
 * reload (null: none yet). A clock set back does not block for ever.
 */
export const mayReload = (lastMs: number | null, nowMs: number): boolean =>
  lastMs === null || nowMs - lastMs >= screenTimes.chunkReloadPauseMs || nowMs < lastMs

/**
 * Reloads the page unless it was reloaded for this reason within the pause. Without storage it does nothing, to avoid a
 * loop.
 */
export const reloadOnce = (nowMs: number): boolean => {
  try {
    const kept = sessionStorage.getItem(storageKey)
    if (!mayReload(kept === null ? null : Number(kept), nowMs)) return false
    sessionStorage.setItem(storageKey, String(nowMs))
  } catch {
    return false
  }
  window.location.reload()
  return true
}
