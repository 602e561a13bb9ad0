export type HealthAnswer = { readonly status: number; readonly type: string; readonly body: string }

export type HealthParts = {
  /** Whether the program is ready, with details. */
  readonly ready: () => Promise<{ readonly isReady: boolean; readonly facts: object }>
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>
}

const json = (status: number, body: object): HealthAnswer => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(body)}\n`,
})

/**
 * The endpoints of every private listener: liveness, readiness with the missing parts, and metrics. Undefined for any
 * other path.
 */
export const healthAnswer = async (path: string, parts: HealthParts): Promise<HealthAnswer | undefined> => {
  if (path === '/health/live') return json(200, { live: true })
  if (path === '/health/ready') {
    const { isReady, facts } = await parts.ready()
    return json(isReady ? 200 : 503, facts)
  }
  if (path !== '/metrics') return undefined
  const { type, text } = await parts.metrics()
  return { status: 200, type, body: text }
}
