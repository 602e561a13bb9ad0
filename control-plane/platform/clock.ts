import type { Clock } from '#domain/kernel/clock.ts'

export const systemClock: Clock = { now: () => Date.now() }
