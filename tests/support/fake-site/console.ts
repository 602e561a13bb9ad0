import type { WebSocket } from 'ws'
import { PanelClientMessage } from '#contracts/panel/messages.ts'
import type { ConsoleLine, PanelServerMessage } from '#contracts/panel/messages.ts'

const esc = String.fromCharCode(27)

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

/** One server's console: numbered lines that outlive a socket, so that resuming can be tried. */
export const createFakeConsole = (nowMs: () => number) => {
  const lines: ConsoleLine[] = []
  const sockets = new Set<WebSocket>()
  let dropNext = 0

  const sendTo = (socket: WebSocket, message: PanelServerMessage) => socket.send(JSON.stringify(message))
  const print = (stream: ConsoleLine[2], text: string) => {
    const line: ConsoleLine = [(lines.at(-1)?.[0] ?? 0) + 1, nowMs(), stream, text]
    lines.push(line)
    for (const socket of sockets) sendTo(socket, { event: 'console output', args: [[line]] })
  }
  for (const [stream, text] of opening) print(stream, text)

  const onMessage = (socket: WebSocket, text: string) => {
    const parsed = PanelClientMessage.safeParse(JSON.parse(text))
    if (!parsed.success) return socket.close(4400)
    const message = parsed.data
    if (message.event === 'auth') {
      const after = message.args[1] ?? 0
      sockets.add(socket)
      sendTo(socket, { event: 'auth success', args: [{ firstSeq: 1, lastSeq: lines.at(-1)?.[0] ?? 0 }] })
      if (dropNext > 0 && after > 0) sendTo(socket, { event: 'dropped', args: [dropNext] })
      const from = after + (after > 0 ? dropNext : 0)
      dropNext = 0
      sendTo(socket, { event: 'console output', args: [lines.filter((line) => line[0] > from)] })
    }
    if (message.event === 'send command') {
      print('o', `> ${message.args[0]}`)
      print('o', 'Unknown command. Type "help" for help.')
    }
    if (message.event === 'send history') {
      const { before, limit } = message.args[0]
      const older = lines.filter((line) => line[0] < before).slice(-limit)
      const isStart = (older[0]?.[0] ?? 1) === 1
      sendTo(socket, { event: 'console history', args: [{ before, lines: older, isStart, lost: 0 }] })
    }
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
    attach: (socket: WebSocket) => {
      socket.on('message', (data) => onMessage(socket, String(data)))
      socket.on('close', () => sockets.delete(socket))
    },
  }
}
export type FakeConsole = ReturnType<typeof createFakeConsole>
