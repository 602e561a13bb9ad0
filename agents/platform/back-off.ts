import type { RandomSource } from '#platform/ids.ts'

export const FIRST_DELAY_MS = 500
export const MAX_DELAY_MS = 15_000

/**
 * Milliseconds before attempt number `attempt` (from 0). Doubles up to 15 s, with a random half, so that all nodes do
 * not reconnect to a returning control plane at once.
 */
export const reconnectDelayMs = (attempt: number, random: RandomSource): number => {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 16))
  return Math.round(full / 2 + (full / 2) * random())
}
