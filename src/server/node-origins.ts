import type { ControlPlane } from '../lib/site/control-plane-client.ts'

/** Policies include a new node within 5 s (clarifications part 3): the remaining second is for the response. */
const REFRESH_MS = 4_000
/**
 * Until the first response: a site that starts before its control plane would meanwhile block the gateway for its
 * pages.
 */
const FIRST_MS = 250

/** Only origins reach the policy: anything else in a response could add directives to it. */
export const toOrigins = (addresses: readonly string[]): string[] => {
  const origins = addresses.flatMap((address) => {
    if (!URL.canParse(address)) return []
    const { protocol, host } = new URL(address)
    const schemes: Readonly<Record<string, readonly string[]>> = {
      'http:': ['http:', 'ws:'],
      'ws:': ['http:', 'ws:'],
      'https:': ['https:', 'wss:'],
      'wss:': ['https:', 'wss:'],
    }
    return /^[\w.:[\]-]+$/.test(host) ? (schemes[protocol] ?? []).map((scheme) => `${scheme}//${host}`) : []
  })
  return [...new Set(origins)].sort()
}

/**
 * The origins that pages may connect to: the gateway and all active nodes, refreshed every 4 s. While the control plane
 * does not respond the last known ones stay.
 */
export const watchNodeOrigins = (controlPlane: ControlPlane, onFailure: (error: unknown) => void = () => {}) => {
  let origins: readonly string[] = []
  let wasDown = false
  let hasAnswered = false
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const refresh = async () => {
    try {
      const answer = await controlPlane.call('node-origins', {}, { requestId: 'node-origins', timeoutMs: 3_000 })
      origins = toOrigins([answer.gateway, ...answer.origins])
      wasDown = false
      hasAnswered = true
    } catch (error) {
      if (!wasDown) onFailure(error)
      wasDown = true
    }
  }
  const keepFresh = async () => {
    await refresh()
    if (isOver) return
    timer = setTimeout(() => void keepFresh(), hasAnswered ? REFRESH_MS : FIRST_MS)
    timer.unref()
  }
  void keepFresh()
  return {
    current: () => origins,
    isDown: () => wasDown,
    refresh,
    stop: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

export type NodeOrigins = Pick<ReturnType<typeof watchNodeOrigins>, 'current' | 'isDown'>
