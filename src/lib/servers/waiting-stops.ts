type Timers = { set: (run: () => void, delayMs: number) => number; clear: (timer: number) => void }
type Waiting = { readonly timer: number; readonly send: () => void }

export type WaitingStops = {
  /** Sends after the time to take it back. A second stop of a server that waits is the first one. */
  begin: (serverId: string, send: () => void) => void
  /** Forgets the stop; the server has noticed nothing. */
  takeBack: (serverId: string) => void
  isWaiting: (serverId: string) => boolean
  subscribe: (listener: () => void) => () => void
  /** The page is being left: what was asked for is done now. */
  sendAll: () => void
}

/** Stops that can still be taken back. They belong to the tab and not to a screen, so that leaving one loses none. */
export const createWaitingStops = (timers: Timers, afterMs: number): WaitingStops => {
  const waiting = new Map<string, Waiting>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const end = (serverId: string): Waiting | undefined => {
    const found = waiting.get(serverId)
    if (found === undefined) return undefined
    timers.clear(found.timer)
    waiting.delete(serverId)
    changed()
    return found
  }
  return {
    begin: (serverId, send) => {
      if (waiting.has(serverId)) return
      waiting.set(serverId, { timer: timers.set(() => end(serverId)?.send(), afterMs), send })
      changed()
    },
    takeBack: (serverId) => void end(serverId),
    isWaiting: (serverId) => waiting.has(serverId),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    sendAll: () => {
      for (const serverId of [...waiting.keys()]) end(serverId)?.send()
    },
  }
}
