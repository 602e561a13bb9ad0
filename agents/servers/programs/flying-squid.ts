import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'

// flying-squid's own command ignores its settings file, so this launcher passes port and settings itself. It reads
// console commands from standard input and prints chat, joins and its done text as plain lines.
interface Player {
  readonly username: string
  readonly uuid?: string
  kick(reason: string): void
}
interface Client {
  state: string
  end: (reason: string, shown?: string) => void
}
interface PingResponse {
  players: { max: number; online: number; sample?: { name: string; id: string }[] }
}
interface MinecraftServer {
  readonly _server: { prependListener(event: 'connection', listener: (client: Client) => void): void }
  readonly players: readonly Player[]
  log: (message: string) => void
  on(event: 'ready' | 'listening', listener: () => void): void
  on(event: 'error', listener: (error: Error) => void): void
  handleCommand(line: string): Promise<void>
  quit(reason: string): Promise<void>
}
interface FlyingSquid {
  createMCServer(options: object): MinecraftServer
}

const { SERVER_IP, SERVER_PORT, SERVER_MOTD, MAX_PLAYERS, MINECRAFT_VERSION } = process.env
const { CREATIVE_MODE = '1', DIFFICULTY = 'easy' } = process.env
const DIFFICULTIES = ['peaceful', 'easy', 'normal', 'hard']
const startedAtMs = Date.now()
const maxPlayers = Math.min(200, Math.max(1, Number(MAX_PLAYERS ?? 20) || 20))
const version = MINECRAFT_VERSION ?? '1.21.4'
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

const print = (text: string): void => {
  const time = new Date().toISOString().slice(11, 19)
  process.stdout.write(`[${time}] ${text}\n`)
}

/**
 * flying-squid's log module takes over standard input and prints a prompt, unless it believes that it runs in a
 * browser.
 */
const loadFlyingSquid = (): { readonly squid: FlyingSquid; readonly defaults: object } => {
  const require = createRequire(path.join(process.cwd(), 'package.json'))
  const marked: { browser?: boolean } = process as object
  marked.browser = true
  require('flying-squid/src/lib/plugins/log.js')
  delete marked.browser
  return {
    squid: require('flying-squid') as FlyingSquid,
    defaults: require('flying-squid/config/default-settings.json') as object,
  }
}

const WRONG_VERSION = /^Wrong protocol version/

/**
 * minecraft-protocol closes the connection of a client of another version before it is in the state in which a reason could be
 * sent, and the client waits or crashes. It is told which version to join with.
 */
const nameVersion = (client: Client): void => {
  const { end } = client
  client.end = (reason, shown) => {
    if (!WRONG_VERSION.test(reason)) return end(reason, shown)
    client.state = 'login'
    end(reason, JSON.stringify({ text: `This server runs Minecraft ${version}. Join it with that version.` }))
  }
}

const MOST_NAMES = 100
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The answer to a client's list of servers names the players, as that of Minecraft's own server does. */
const namePlayers = (response: PingResponse, players: readonly Player[]): void => {
  response.players.online = players.length
  response.players.sample = players
    .slice(0, MOST_NAMES)
    .map(({ username, uuid = NOBODY }) => ({ name: username, id: uuid }))
}

const main = (): void => {
  print(`Starting Minecraft ${version}`)
  const { squid, defaults } = loadFlyingSquid()
  const server: MinecraftServer = squid.createMCServer({
    ...defaults,
    host: SERVER_IP ?? '0.0.0.0',
    port: Number(SERVER_PORT ?? 25_565),
    motd: SERVER_MOTD ?? 'A Minecraft server',
    'max-players': maxPlayers,
    gameMode: CREATIVE_MODE === '1' ? 1 : 0,
    difficulty: Math.max(0, DIFFICULTIES.indexOf(DIFFICULTY)),
    'online-mode': false,
    logging: false,
    noConsoleOutput: true,
    version,
    worldFolder: `world/${version}`,
    generation: { name: 'superflat', options: { worldHeight: 80 } },
    beforePing: (response: PingResponse) => namePlayers(response, server.players),
  })
  server._server.prependListener('connection', nameVersion)
  // Its lines contain a long date and colours; only the message is kept.
  server.log = (message) => print(message.replace(COLOURS, '').replace(/^.*?\[(INFO|CHAT)\]: /, ''))
  server.on('error', (error) => print(`Error: ${error.message}`))
  server.on('ready', () => {
    print(`Done (${((Date.now() - startedAtMs) / 1_000).toFixed(1)}s)! For help, type "help"`)
  })

  let stopping = false
  const stop = (): void => {
    if (stopping) return
    stopping = true
    print('Stopping the server')
    setTimeout(() => process.exit(0), 4_000).unref()
    void Promise.resolve(server.quit('The server stops.'))
      .catch(() => {})
      .finally(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  createInterface({ input: process.stdin }).on('line', (text) => {
    const line = text.trim().replace(/^\//, '')
    if (line === 'stop') stop()
    else if (line === 'list') {
      const names = server.players.map((player) => player.username)
      print(`There are ${names.length} of a max of ${maxPlayers} players online: ${names.join(', ')}`)
    } else if (line !== '') void server.handleCommand(line)
  })
}

process.on('uncaughtException', (error) => print(`Error: ${error.message}`))
process.on('unhandledRejection', (error) => print(`Error: ${error instanceof Error ? error.message : String(error)}`))
main()
