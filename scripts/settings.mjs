// What the environment asks of `npm start`, and what each program gets told.
import { resolve } from 'node:path'

import { Refusal } from './preflight.mjs'

/** Variable -> the port it has when it is unset. */
export const PORTS = {
  PORT: 3000,
  SITE_HEALTH_PORT: 3001,
  CONTROL_PLANE_PORT: 4000,
  CONTROL_PLANE_INTERNAL_PORT: 4001,
  AGENT_PORT: 8080,
  AGENT_HEALTH_PORT: 8081,
}

function portFrom(env, variable) {
  const text = env[variable] || String(PORTS[variable])
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Refusal(`${variable} is "${text}", which is not a port.`)
  return port
}

const GAME_PORTS = '25565-25664'

function gamePortsFrom(text) {
  const [first, last] = (/^(\d+)-(\d+)$/.exec(text) ?? []).slice(1).map(Number)
  if (!(first >= 1_024 && last >= first && last <= 65_535)) {
    throw new Refusal(`GAME_PORTS is "${text}", which is not a range of ports such as ${GAME_PORTS}.`)
  }
  return text
}

/** The address of a store of the user's own, or undefined. It is never repeated, because it may hold a password. */
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

/** Reads the environment of `npm start`; refuses what cannot be. */
export function settingsFrom(env) {
  if (env.BAKTER_MODE === 'production') {
    throw new Refusal('npm start runs the demo; production is docker-compose.yml.')
  }
  return {
    dataDir: resolve(env.BAKTER_DATA || '.data'),
    host: env.HOST || '127.0.0.1',
    ports: Object.fromEntries(Object.keys(PORTS).map((variable) => [variable, portFrom(env, variable)])),
    gamePorts: gamePortsFrom(env.GAME_PORTS || GAME_PORTS),
    databaseUrl: storeFrom(env, DATABASE),
    redisUrl: storeFrom(env, REDIS),
  }
}

/** The addresses that people and programs use. A wildcard address is reached through the loopback. */
export function addressesOf({ host, ports }) {
  const reach = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const name = reach.includes(':') ? `[${reach}]` : reach
  return {
    site: `http://${name}:${ports.PORT}`,
    gateway: `ws://${name}:${ports.CONTROL_PLANE_PORT}/api/ws/gateway`,
    controlPlane: `http://${name}:${ports.CONTROL_PLANE_PORT}`,
    controlPlaneInternal: `http://127.0.0.1:${ports.CONTROL_PLANE_INTERNAL_PORT}`,
    agentLink: `ws://${name}:${ports.CONTROL_PLANE_PORT}/api/ws/agent`,
    agent: `http://${name}:${ports.AGENT_PORT}`,
    siteHealth: `http://127.0.0.1:${ports.SITE_HEALTH_PORT}`,
    agentHealth: `http://127.0.0.1:${ports.AGENT_HEALTH_PORT}`,
  }
}
