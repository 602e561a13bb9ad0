/** Answers once the part works; rejects with the reason when it does not. */
export type HealthCheck = () => Promise<void>
export type Readiness = { readonly ready: boolean; readonly missing: readonly { name: string; reason: string }[] }

const CHECK_TIMEOUT_MS = 3_000

/** The parts that this process needs. Parts are added by the service that opens them. */
export function createHealth() {
  const checks = new Map<string, HealthCheck>()
  let draining = false
  return {
    add: (name: string, check: HealthCheck) => void checks.set(name, check),
    /** From now on the process is not ready: a balancer stops sending to it. */
    drain: () => {
      draining = true
    },
    /** Names what is missing. */
    readiness: async (): Promise<Readiness> => {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => {
          try {
            await withTimeout(check())
            return undefined
          } catch (error) {
            return { name, reason: error instanceof Error ? error.message : 'unknown' }
          }
        }),
      )
      const missing = results.filter((result) => result !== undefined)
      if (draining) missing.push({ name: 'process', reason: 'is stopping' })
      return { ready: missing.length === 0, missing }
    },
  }
}

export type Health = ReturnType<typeof createHealth>

async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS)
  })
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
