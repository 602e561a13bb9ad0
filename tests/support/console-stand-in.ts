import type { Page, WebSocketRoute } from '@playwright/test'
import { PanelClientMessage } from '../../src/contracts/panel/messages.ts'
import type { ConsoleLine, PanelServerMessage } from '../../src/contracts/panel/messages.ts'

const SOCKET = /\/servers\/[0-9a-f-]{36}\/ws$/

export interface ConsoleStandIn {
  /** Prints lines of text; they are numbered and stamped. */
  print(...texts: readonly string[]): void
  /** Says that so many lines are gone. */
  drop(count: number): void
  say(message: PanelServerMessage): void
  /** Ends the socket; the next one resumes after what the page has. */
  cut(code: number): Promise<void>
  /** Until what it answers is called, no socket is let in: the page has no live link for as long as the test needs. */
  shut(): () => void
  /** While set, every command is answered with this refusal. */
  refusal: string | undefined
  readonly commands: string[]
  /** The number after which each socket asked to go on; undefined for a first one. */
  readonly resumedAfter: (number | undefined)[]
}

/** Answers a page's console socket in the place of the node, so that lines, gaps and refusals come as a test wants them. */
export async function standInForConsole(page: Page, first: readonly string[]): Promise<ConsoleStandIn> {
  const lines: ConsoleLine[] = []
  const startMs = Date.UTC(2026, 10, 20, 19, 14, 0)
  let seq = 0
  let socket: WebSocketRoute | undefined
  const tell = (message: PanelServerMessage) => socket?.send(JSON.stringify(message))
  const add = (text: string): ConsoleLine => {
    seq += 1
    const line: ConsoleLine = [seq, startMs + seq * 1_000, 'o', text]
    lines.push(line)
    return line
  }
  for (const text of first) add(text)
  let isShut = false
  let waiting: PanelClientMessage | undefined
  const standIn: ConsoleStandIn = {
    commands: [],
    resumedAfter: [],
    refusal: undefined,
    print: (...texts) => tell({ event: 'console output', args: [texts.map(add)] }),
    drop: (count) => {
      seq += count
      tell({ event: 'dropped', args: [count] })
    },
    say: tell,
    cut: async (code) => socket?.close({ code, reason: 'cut' }),
    shut: () => {
      isShut = true
      return () => {
        isShut = false
        if (waiting) answer(waiting)
        waiting = undefined
      }
    },
  }
  const answer = (message: PanelClientMessage): void => {
    if (message.event === 'auth' && isShut) {
      waiting = message
      return
    }
    if (message.event === 'auth') {
      const after = message.args[1]
      standIn.resumedAfter.push(after)
      tell({ event: 'auth success', args: [{ firstSeq: 1, lastSeq: seq }] })
      tell({ event: 'status', args: ['running'] })
      const from = after ?? Math.max(0, seq - 500)
      tell({ event: 'console output', args: [lines.filter((line) => line[0] > from)] })
    }
    if (message.event === 'send history') {
      const { before, limit } = message.args[0]
      const older = lines.filter((line) => line[0] < before).slice(-limit)
      const isStart = (older[0]?.[0] ?? 1) === 1
      tell({ event: 'console history', args: [{ before, lines: older, isStart, lost: 0 }] })
    }
    if (message.event !== 'send command') return
    if (standIn.refusal !== undefined) return tell({ event: 'daemon error', args: [standIn.refusal] })
    standIn.commands.push(message.args[0])
    tell({ event: 'command accepted', args: [message.args[1] ?? ''] })
    standIn.print(`You said: ${message.args[0]}`)
  }
  await page.routeWebSocket(SOCKET, (opened) => {
    socket = opened
    opened.onMessage((text) => answer(PanelClientMessage.parse(JSON.parse(String(text)))))
  })
  return standIn
}
