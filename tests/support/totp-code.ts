import { generate } from 'otplib'

/** The code that an authenticator app with this secret shows at a time. */
export const codeAt = (secret: string, nowMs: number): Promise<string> =>
  generate({ secret, epoch: Math.floor(nowMs / 1_000) })

const STEP_MS = 30_000

/**
 * The code after the current one. Each works once: this one is for a person who has already used the current one, and
 * is accepted a step early.
 */
export const nextCode = (secret: string): Promise<string> => codeAt(secret, Date.now() + STEP_MS)
