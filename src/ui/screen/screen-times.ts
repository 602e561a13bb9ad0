/**
 * Delays of screen parts, in milliseconds. Sections refer to the specification; entries without one are design choices.
 */
export const screenTimes = {
  /** Section 9: a navigation that finishes sooner shows no bar. */
  progressThrottleMs: 200,
  /** Section 9: how long the bar runs. */
  progressRunMs: 5_000,
  /** Section 9: a link is prefetched when the browser is idle, and after this time at the latest. */
  prefetchIdleTimeoutMs: 2_000,
  /** Section 9 (fetch minimum delay): a visible loading state stays at least this long. */
  loadingAtLeastMs: 200,
  /** A loading state appears late, so that a fast response does not flash. */
  loadingAfterMs: 150,
  /** Section 7: how often the indicator reads the state of the realtime link. */
  linkStateEveryMs: 500,
  /** Section 8: a failed script chunk reloads the page at most once in this time. */
  chunkReloadPauseMs: 60_000,
  /** An unknown dashboard address redirects to the summary after this time (section 2). */
  leaveUnknownAfterMs: 5_000,
  /** An open page shows a global message within 5 s after it is saved; the site's cache of one second comes on top. */
  messagesEveryMs: 3_000,
  /** How long a stop of a server can be taken back. */
  stopTakenBackMs: 5_000,
} as const
