import type { Page, WebSocketRoute } from '@playwright/test'
import { PanelClientMessage } from '../../src/contracts/panel/messages.ts'
import type { ConsoleLine, PanelServerMessage } from '../../src/contracts/panel/messages.ts'

const SOCKET = /\/servers\/[0-9a-f-]{36}\/ws$/

export interface ConsoleStandIn {
  /** Prints lines of text with numbers and times. */
  print(...texts: readonly string[]): void
  /** Reports that so many lines are lost. */
  drop(count: number): void
  say(message: PanelServerMessage): void
  /** Ends the socket; the next one resumes after the page's last line. */
  cut(code: number): Promise<void>
  /**
   * No socket is accepted until the returned function is called: the page has no live link for as long as the test
   * needs.
   */
  shut(): () => void
  /** While set, every command is answered with this refusal. */
  refusal: string | undefined
  readonly commands: string[]
  /** The number after which each socket asked to resume; undefined for a first one. */
  readonly resumedAfter: (number | undefined)[]
  /** How many sockets the page has opened, and how many of them it has closed. */
  readonly sockets: { opened: number; closed: number }
}

/** Replaces the node behind a page's console socket, so that a test controls lines, gaps and refusals. */
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
    sockets: { opened: 0, closed: 0 },
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
    standIn.sockets.opened += 1
    opened.onClose(() => {
      standIn.sockets.closed += 1
    })
    opened.onMessage((text) => answer(PanelClientMessage.parse(JSON.parse(String(text)))))
  })
  return standIn
}
