/**
 * How long the parts of a screen wait, in milliseconds. The sections are the specification's; what names none is the
 * design's own.
 */
export const screenTimes = {
  /** Section 9: a navigation that is over sooner shows no bar. */
  progressThrottleMs: 200,
  /** Section 9: how long the bar runs. */
  progressRunMs: 5_000,
  /** Section 9: a link is fetched ahead when the browser has nothing to do, and after this time at the latest. */
  prefetchIdleTimeoutMs: 2_000,
  /** Section 9 (fetch minimum delay): a loading state that can be seen stays at least so long. */
  loadingAtLeastMs: 200,
  /** A loading state comes late, so that a fast answer does not flash. */
  loadingAfterMs: 150,
  /** Section 7: the indicator reads the state of the realtime link so often. */
  linkStateEveryMs: 500,
  /** Section 8: a failed script chunk reloads the page at most once in this time. */
  chunkReloadPauseMs: 60_000,
  /** A dashboard address that leads nowhere goes to the summary after this time (section 2). */
  leaveUnknownAfterMs: 5_000,
  /** An open page hears of a message to everybody within 5 s of its saving: the site's own second comes on top. */
  messagesEveryMs: 3_000,
} as const
