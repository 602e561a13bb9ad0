// The environment's settings of `npm start`, and those passed to each program.
import { resolve } from 'node:path'

import { Refusal } from './preflight.mjs'

/**
 * Ports to which browsers and Node's fetch refuse to connect: they belong to other protocols (the Fetch standard, "bad
 * port").
 */
const UNSAFE_PORTS = new Set(
  [
    [1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110],
    [111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532],
    [540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
    [6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ].flat(),
)

/** Variable -> its default port. */
export const PORTS = {
  PORT: 3000,
  SITE_HEALTH_PORT: 3001,
  CONTROL_PLANE_PORT: 4000,
  CONTROL_PLANE_INTERNAL_PORT: 4001,
  AGENT_PORT: 8080,
  AGENT_HEALTH_PORT: 8081,
  SFTP_PORT: 2022,
}

function portFrom(env, variable) {
  const text = env[variable] || String(PORTS[variable])
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Refusal(`${variable} is "${text}", which is not a port.`)
  if (UNSAFE_PORTS.has(port))
    throw new Refusal(`${variable} is ${port}, a port that browsers do not open: choose another.`)
  return port
}

const GAME_PORTS = '25565-25664'

function gamePortsFrom(text, ports) {
  const [first, last] = (/^(\d+)-(\d+)$/.exec(text) ?? []).slice(1).map(Number)
  if (!(first >= 1_024 && last >= first && last <= 65_535)) {
    throw new Refusal(`GAME_PORTS is "${text}", which is not a range of ports such as ${GAME_PORTS}.`)
  }
  const [variable, port] = Object.entries(ports).find(([, each]) => each >= first && each <= last) ?? []
  if (variable !== undefined)
    throw new Refusal(`${variable} ${port} lies in GAME_PORTS ${text}, which servers get: change one of them.`)
  return text
}

/** The bind address of the public listeners. Whether this machine has the address shows when it is used. */
function hostFrom(env, ports) {
  const host = (env.HOST ?? '').trim() || '127.0.0.1'
  if (!URL.canParse(addressesOf({ host, ports }).site))
    throw new Refusal(`HOST is "${host}", which is no address of this machine.`)
  return host
}

/** The address of an external store, or undefined. It is never printed, because it may contain a password. */
function storeFrom(env, { variable, protocols, example }) {
  const text = env[variable]
  if (!text) return undefined
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new Refusal(`${variable} is no address such as ${example}.`)
  return text
}

const DATABASE = {
  variable: 'DATABASE_URL',
  protocols: ['postgres:', 'postgresql:'],
  example: 'postgres://user:password@127.0.0.1:5432/bakter',
}
const REDIS = { variable: 'REDIS_URL', protocols: ['redis:', 'rediss:'], example: 'redis://:password@127.0.0.1:6379' }

/** Parses the environment of `npm start`; refuses invalid values. */
export function settingsFrom(env) {
  if (env.BAKTER_MODE === 'production') {
    throw new Refusal('npm start runs the demo; production is docker-compose.yml.')
  }
  const ports = Object.fromEntries(Object.keys(PORTS).map((variable) => [variable, portFrom(env, variable)]))
  return {
    dataDir: resolve(env.BAKTER_DATA || '.data'),
    host: hostFrom(env, ports),
    hasMailServer: Boolean(env.SMTP_URL),
    hasAgentTls: Boolean((env.AGENT_TLS_CERT && env.AGENT_TLS_KEY) || env.AGENT_ACME_DIRECTORY),
    ports,
    gamePorts: gamePortsFrom(env.GAME_PORTS || GAME_PORTS, ports),
    databaseUrl: storeFrom(env, DATABASE),
    redisUrl: storeFrom(env, REDIS),
  }
}

/** The addresses for people and programs. A wildcard address is reached through the loopback. */
export function addressesOf({ host, ports, hasAgentTls = false }) {
  const reach = /^[0:.]+$/.test(host) ? '127.0.0.1' : host
  const name = reach.includes(':') ? `[${reach}]` : reach
  return {
    site: `http://${name}:${ports.PORT}`,
    gateway: `ws://${name}:${ports.CONTROL_PLANE_PORT}/api/ws/gateway`,
    controlPlane: `http://${name}:${ports.CONTROL_PLANE_PORT}`,
    controlPlaneInternal: `http://127.0.0.1:${ports.CONTROL_PLANE_INTERNAL_PORT}`,
    agentLink: `ws://${name}:${ports.CONTROL_PLANE_PORT}/api/ws/agent`,
    agent: `http${hasAgentTls ? 's' : ''}://${name}:${ports.AGENT_PORT}`,
    siteHealth: `http://127.0.0.1:${ports.SITE_HEALTH_PORT}`,
    agentHealth: `http://127.0.0.1:${ports.AGENT_HEALTH_PORT}`,
  }
}
