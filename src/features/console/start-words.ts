/** A time as people say it. */
export type SaidTime = { readonly unit: 'few' | 'seconds' | 'minutes'; readonly count: number }

const FEW_SECONDS = 5
/** From here seconds would claim more than the earlier starts tell. */
const MINUTES_FROM_S = 90

/** A remaining time, in steps of five seconds, so that it is read and not watched. */
export const saidLeft = (leftMs: number): SaidTime => {
  const seconds = Math.ceil(leftMs / 1_000)
  if (seconds <= FEW_SECONDS) return { unit: 'few', count: FEW_SECONDS }
  if (seconds >= MINUTES_FROM_S) return { unit: 'minutes', count: Math.round(seconds / 60) }
  return { unit: 'seconds', count: Math.ceil(seconds / 5) * 5 }
}

/** The usual time of a start, to the second up to a minute and a half. */
export const saidUsual = (usualMs: number): SaidTime => {
  const seconds = Math.max(1, Math.round(usualMs / 1_000))
  return seconds >= MINUTES_FROM_S
    ? { unit: 'minutes', count: Math.round(seconds / 60) }
    : { unit: 'seconds', count: seconds }
}
