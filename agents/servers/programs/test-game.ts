import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

// A small game server: players connect by TCP, and each line they send is chat. It keeps a world file, counts its
// starts and imitates failures of real servers on command. Commands: say, list, count N, wide N, rate N, grow N, crash, hang,
// deaf, stop.
const { GAME_EXIT_ON_START = '' } = process.env
const { SERVER_IP = '127.0.0.1', SERVER_PORT = '0', GAME_PORT, GAME_START_DELAY_MS = '50' } = process.env

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
const players = new Map<Socket, string>()
let deaf = false
let stopping = false

const broadcast = (text: string): void => {
  for (const player of players.keys()) player.write(`${text}\n`)
}

const server = createServer((socket) => {
  let name = ''
  socket.on('error', () => {})
  socket.on('close', () => {
    if (players.delete(socket)) print(`${name} left the game`)
  })
  const lines = createInterface({ input: socket })
  // It passes the socket's error on: a player whose connection is reset would end the game of all.
  lines.on('error', () => {})
  lines.on('line', (line) => {
    if (name === '') {
      name = line.slice(0, 32)
      players.set(socket, name)
      print(`${name} joined the game`)
      return
    }
    print(`<${name}> ${line}`)
    broadcast(`<${name}> ${line}`)
  })
})

const stop = (reason: string): void => {
  if (deaf || stopping) return
  stopping = true
  print(`Stopping (${reason})`)
  writeFileSync('world.json', JSON.stringify({ saved: true, reason }))
  // Standard output may still hold lines that did not fit into the pipe.
  process.stdout.write('World saved\n', () => process.exit(0))
}

const rate = (linesPerSecond: number): void => {
  let line = 0
  const perTick = Math.max(1, Math.round(linesPerSecond / 100))
  setInterval(() => {
    let block = ''
    for (let index = 0; index < perTick; index += 1) block += `rate ${(line += 1)}\n`
    process.stdout.write(block)
  }, 10)
}

/** Lines as long as a mod's error, so that a few of them fill a history. */
const wide = (count: number): void => {
  const filling = 'x'.repeat(4_000)
  let line = 0
  const write = (): void => {
    let goesOn = true
    while (goesOn && line < count) goesOn = process.stdout.write(`wide ${(line += 1)} ${filling}\n`)
    if (line < count) process.stdout.once('drain', write)
  }
  write()
}

/** Writes a file of up to so many MiB, as a world that grows, and says when the disk refuses it. */
const grow = (mebibytes: number): void => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let written = 0
  const timer = setInterval(() => {
    try {
      appendFileSync('grown.dat', piece)
      written += 1
    } catch (error) {
      print(`The world takes nothing more: ${(error as NodeJS.ErrnoException).code ?? ''}`)
      clearInterval(timer)
    }
    if (written < mebibytes) return
    print(`The world has grown by ${written} MiB`)
    clearInterval(timer)
  }, 5)
}

const commands: Readonly<Record<string, (argument: string) => void>> = {
  say: (text) => {
    print(`[Server] ${text}`)
    broadcast(`[Server] ${text}`)
  },
  list: () => print(`Players: ${[...players.values()].join(', ')}`),
  count: (text) => {
    let block = ''
    for (let line = 1; line <= Number(text); line += 1) block += `count ${line}\n`
    process.stdout.write(block)
  },
  wide: (text) => wide(Number(text)),
  rate: (text) => rate(Number(text)),
  grow: (text) => grow(Number(text)),
  complain: (text) => process.stderr.write(`${text}\n`),
  environment: () => print(`Environment: ${Object.keys(process.env).sort().join(' ')}`),
  who: () => print(`User: ${process.getuid?.() ?? -1}`),
  crash: () => process.exit(42),
  hang: () => {
    for (;;);
  },
  deaf: () => {
    deaf = true
    print('Not listening to anybody')
  },
  stop: () => stop('command'),
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal))
createInterface({ input: process.stdin }).on('line', (line) => {
  const [, name = '', argument = ''] = /^(\S*) ?(.*)$/.exec(line) ?? []
  const command = commands[name]
  if (command) command(argument)
  else print(`Unknown command: ${line}`)
})

appendFileSync('starts.txt', `${process.pid}\n`)
print(`Start number ${readFileSync('starts.txt', 'utf8').split('\n').length - 1}`)
print(existsSync('world.json') ? 'World loaded' : 'New world')
if (GAME_EXIT_ON_START !== '') process.exit(Number(GAME_EXIT_ON_START))
setTimeout(() => {
  server.listen(Number(GAME_PORT ?? SERVER_PORT), SERVER_IP, () => print('Done! The game is open'))
}, Number(GAME_START_DELAY_MS))
