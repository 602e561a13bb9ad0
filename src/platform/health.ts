/** Resolves once the part works; rejects with the reason when it does not. */
export type HealthCheck = () => Promise<void> | void
export type Readiness = { readonly ready: boolean; readonly missing: readonly { name: string; reason: string }[] }

const CHECK_TIMEOUT_MS = 3_000

const withTimeout = async (work: Promise<void> | void): Promise<void> => {
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

/** The parts that this process needs. Each is added by the code that opens it. */
export const createHealth = () => {
  const checks = new Map<string, HealthCheck>()
  let isDraining = false
  const missingOf = async ([name, check]: [string, HealthCheck]) => {
    try {
      await withTimeout(check())
      return []
    } catch (error) {
      return [{ name, reason: error instanceof Error ? error.message : 'unknown' }]
    }
  }
  return {
    add: (name: string, check: HealthCheck) => void checks.set(name, check),
    /** The process is no longer ready: a load balancer stops sending to it. */
    drain: () => {
      isDraining = true
    },
    /** Names the parts that are missing. */
    readiness: async (): Promise<Readiness> => {
      const missing = (await Promise.all([...checks].map(missingOf))).flat()
      if (isDraining) missing.push({ name: 'process', reason: 'is stopping' })
      return { ready: missing.length === 0, missing }
    },
  }
}

export type Health = ReturnType<typeof createHealth>
