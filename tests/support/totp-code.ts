import { generate } from 'otplib'

/** The code that an authenticator app with this secret shows at a moment. */
export const codeAt = (secret: string, nowMs: number): Promise<string> =>
  generate({ secret, epoch: Math.floor(nowMs / 1_000) })
