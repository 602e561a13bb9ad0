import type { WebSocket } from 'ws'
import { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { ConsoleLine, PanelServerMessage } from '#contracts/panel/messages.ts'
import type { StatsHistory, StatsHistoryRequest } from '#contracts/panel/stats-history.ts'

const esc = String.fromCharCode(27)
const minuteMs = 60_000

const opening: readonly [ConsoleLine[2], string][] = [
  ['o', 'Starting minecraft server version 1.21.8'],
  ['o', 'Preparing level "world"'],
  ['o', `${esc}[33m[Essentials] You are running an outdated version (2.20.1)${esc}[0m`],
  ['o', 'Done (8.412s)! For help, type "help"'],
  ['o', 'Őrsi_Panni joined the game'],
  ['o', '<Őrsi_Panni> sziasztok, megvan a bűvös fűrész?'],
  ['e', 'Could not pass event PlayerInteractEvent to ShopGUI v4.1: NoSuchMethodError'],
  ['o', `${esc}[32mSaved the game${esc}[0m ${esc}]8;;https://example.test${esc}\\not a link${esc}]8;;${esc}\\`],
]

const evening: readonly [ConsoleLine[2], string][] = [
  ['o', 'Kovi77 joined the game'],
  ['o', '<Kovi77> hello everyone'],
  ['o', `[Server thread/INFO]: ${esc}[36mKovi77${esc}[0m has made the advancement ${esc}[32m[Stone Age]${esc}[0m`],
  ['o', "[Server thread/WARN]: Can't keep up! Is the server overloaded? Running 2140ms or 42 ticks behind"],
  ['o', '<Őrsi_Panni> gyere a malomhoz, ott a láda'],
  ['o', 'Kovi77 was slain by Zombie'],
  ['o', 'Saving chunks for level "world"/minecraft:overworld'],
  ['e', '[Server thread/ERROR]: Failed to load chunk [12, -4]: java.io.EOFException'],
  ['o', 'Saved the game'],
  ['o', '<Kovi77> \u202egnp.exe\u202c nice try'],
]

const historyOf = ({ fromMs, step }: StatsHistoryRequest, nowMs: number): StatsHistory => {
  const first = Math.ceil(fromMs / 1_000 / step) * step
  const count = Math.max(0, Math.floor((nowMs / 1_000 - first) / step))
  const times = Array.from({ length: count }, (_, at) => first + at * step).filter((time) => time % 3_600 > 300)
  const wave = (height: number, every: number) => times.map((time) => height * (1.2 + Math.sin(time / every)))
  const spread = (values: number[]) => ({
    min: values.map((value) => value * 0.7),
    avg: values,
    max: values.map((value) => value * 1.3),
  })
  return {
    step,
    fromMs,
    times,
    cpu: spread(wave(80, 90)),
    memory: spread(times.map((time) => 4.6e9 + 4e8 * Math.sin(time / 700))),
    disk: times.map((time) => 11e9 + (time - first) * 2_000),
    network: { received: spread(wave(30_000, 40)), sent: spread(wave(80_000, 55)) },
  }
}

/** One server's console: numbered lines that outlive a socket, so that resuming can be tested. */
export const createFakeConsole = (nowMs: () => number) => {
  const lines: ConsoleLine[] = []
  const sockets = new Set<WebSocket>()
  let dropNext = 0

  const sendTo = (socket: WebSocket, message: PanelServerMessage) => socket.send(JSON.stringify(message))
  const add = (stream: ConsoleLine[2], text: string, atMs: number): ConsoleLine => {
    const line: ConsoleLine = [(lines.at(-1)?.[0] ?? 0) + 1, atMs, stream, text]
    lines.push(line)
    return line
  }
  const print = (stream: ConsoleLine[2], text: string) => {
    const line = add(stream, text, nowMs())
    for (const socket of sockets) sendTo(socket, { event: 'console output', args: [[line]] })
  }
  const startedMs = nowMs() - 90 * minuteMs
  for (const [at, [stream, text]] of opening.entries()) add(stream, text, startedMs + at * 2_000)
  for (let round = 0; round < 80; round += 1) {
    for (const [at, [stream, text]] of evening.entries())
      add(stream, text, startedMs + (round + 1) * minuteMs + at * 3_000)
  }

  const onMessage = (socket: WebSocket, text: string) => {
    const parsed = PanelClientMessage.safeParse(JSON.parse(text))
    if (!parsed.success) return socket.close(4400)
    const message = parsed.data
    if (message.event === 'auth') {
      const after = message.args[1] ?? lines.length - 500
      sockets.add(socket)
      sendTo(socket, { event: 'auth success', args: [{ firstSeq: 1, lastSeq: lines.at(-1)?.[0] ?? 0 }] })
      if (dropNext > 0 && after > 0) sendTo(socket, { event: 'dropped', args: [dropNext] })
      const from = after + (after > 0 ? dropNext : 0)
      dropNext = 0
      sendTo(socket, { event: 'console output', args: [lines.filter((line) => line[0] > from)] })
    }
    if (message.event === 'send command') {
      sendTo(socket, { event: 'command accepted', args: [message.args[1] ?? ''] })
      print('o', `> ${message.args[0]}`)
      print('o', 'Unknown command. Type "help" for help.')
    }
    if (message.event === 'send history') {
      const { before, limit } = message.args[0]
      const older = lines.filter((line) => line[0] < before).slice(-limit)
      const isStart = (older[0]?.[0] ?? 1) === 1
      sendTo(socket, { event: 'console history', args: [{ before, lines: older, isStart, lost: 0 }] })
    }
    if (message.event === 'send stats history') {
      sendTo(socket, { event: 'stats history', args: [historyOf(message.args[0], nowMs())] })
    }
    return undefined
  }

  return {
    print,
    dropNext: (count: number) => {
      dropNext = count
    },
    cut: (code: number) => {
      for (const socket of sockets) socket.close(code)
      sockets.clear()
    },
    broadcast: (message: PanelServerMessage) => {
      for (const socket of sockets) sendTo(socket, message)
    },
    attach: (socket: WebSocket, greeting: readonly PanelServerMessage[]) => {
      socket.on('message', (data) => {
        onMessage(socket, String(data))
        if (String(data).includes('"auth"')) for (const message of greeting) sendTo(socket, message)
      })
      socket.on('close', () => sockets.delete(socket))
    },
  }
}
export type FakeConsole = ReturnType<typeof createFakeConsole>
