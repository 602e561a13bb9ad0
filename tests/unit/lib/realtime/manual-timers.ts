import type { LinkSocket, OpenSocket, SocketHandlers, Timers } from '../../../../src/lib/realtime/socket.ts'

export type ManualTimers = Timers & { pending: () => readonly number[]; advance: (ms: number) => Promise<void> }

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

/** Timers that run only when a test moves the time. */
export const manualTimers = (): ManualTimers => {
  let now = 0
  let next = 1
  const waiting = new Map<number, { at: number; run: () => void }>()
  return {
    set: (run, delayMs) => {
      const timer = next
      next += 1
      waiting.set(timer, { at: now + delayMs, run })
      return timer
    },
    clear: (timer) => void waiting.delete(timer),
    pending: () => [...waiting.values()].map(({ at }) => at - now),
    advance: async (ms) => {
      await settle()
      const until = now + ms
      for (;;) {
        const due = [...waiting.entries()].filter(([, { at }]) => at <= until).toSorted((a, b) => a[1].at - b[1].at)[0]
        if (!due) break
        now = due[1].at
        waiting.delete(due[0])
        due[1].run()
        await settle()
      }
      now = until
      await settle()
    },
  }
}

export type FakeSocket = LinkSocket &
  SocketHandlers & { address: string; protocols: string[]; sent: string[]; isClosed: () => boolean }

/** Sockets that a test opens, feeds and closes by hand. */
export const fakeSockets = (): { open: OpenSocket; all: FakeSocket[]; last: () => FakeSocket } => {
  const all: FakeSocket[] = []
  return {
    all,
    last: () => {
      const socket = all.at(-1)
      if (!socket) throw new Error('No socket was opened')
      return socket
    },
    open: (address, handlers, protocols = []) => {
      let closed = false
      const socket: FakeSocket = {
        ...handlers,
        address,
        protocols,
        sent: [],
        isClosed: () => closed,
        send: (text) => void socket.sent.push(text),
        close: () => {
          closed = true
        },
      }
      all.push(socket)
      return socket
    },
  }
}
