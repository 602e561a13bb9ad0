import { generate } from 'otplib'

/** The code that an authenticator app with this secret shows at a moment. */
export const codeAt = (secret: string, nowMs: number): Promise<string> =>
  generate({ secret, epoch: Math.floor(nowMs / 1_000) })

const STEP_MS = 30_000

/** The code after the present one. Each counts once: it serves whoever has shown the present one already, and is taken a step early. */
export const nextCode = (secret: string): Promise<string> => codeAt(secret, Date.now() + STEP_MS)
