import type { PropertyEdit } from '../config-files/property-edits.ts'
import { isNoError, readableText } from './match.ts'

/** The use of the port that a program could not open: its game port, or one of Minecraft's further ones. */
export type FailedUse = 'game' | 'rcon' | 'query'

const USES: readonly (readonly [FailedUse, RegExp])[] = [
  ['rcon', /Unable to initiali[sz]e RCON on /i],
  ['query', /Unable to initiali[sz]e query system on /i],
  ['game', /FAILED TO BIND TO PORT|Starting Minecraft server on /i],
]

/** The use that failed, by Minecraft's own words in the line of the rule or in those above it, the nearest first. */
export const failedUseOf = (line: string, above: readonly string[]): FailedUse | undefined => {
  for (const text of [...above, line].map(readableText).toReversed()) {
    const found = isNoError(text) ? undefined : USES.find(([, words]) => words.test(text))
    if (found !== undefined) return found[0]
  }
  return undefined
}

/**
 * The plan that puts the ports in server.properties right. `right`: they are the server's own, and differ. `no-port`:
 * this key needs a port, and the server has none that is free.
 */
export type PortPlan =
  | { readonly is: 'edit'; readonly edits: readonly PropertyEdit[] }
  | { readonly is: 'no-port'; readonly key: string }
  | { readonly is: 'right' }

export type PlanPorts = {
  readonly ip: string
  readonly primary: number
  /** All ports of the server. */
  readonly own: readonly number[]
  /** Those of them that no variable and no argument of its program names. */
  readonly free: readonly number[]
}

/** Minecraft's ports beside the game's that are opened for TCP, with the switch and the number where the file has none. */
const FURTHER = [
  { use: 'rcon', key: 'rcon.port', when: 'enable-rcon', preset: '25575' },
  // Zero stands for any port that is free.
  { use: undefined, key: 'management-server-port', when: 'management-server-enabled', preset: '0' },
] as const
const GAME = { key: 'server-port', preset: '25565' } as const
const QUERY = { key: 'query.port', when: 'enable-query', preset: '25565' } as const
const ADDRESS = 'server-ip'
/** Each of these stands for all addresses of the machine. */
const ALL_ADDRESSES = ['', '0.0.0.0', '::']

type Values = ReadonlyMap<string, string>
const isOn = (values: Values, key: string): boolean => /^true$/i.test(values.get(key) ?? '')
const portOf = (values: Values, { key, preset }: { key: string; preset: string }): number =>
  Number(values.get(key) ?? preset)

class Edits {
  readonly list: PropertyEdit[] = []
  readonly #values: Values
  constructor(values: Values) {
    this.#values = values
  }
  set(key: string, to: string): void {
    this.list.push({ key, from: this.#values.get(key) ?? null, to })
  }
}

/** Query is UDP, so that it may have the game's number, as Minecraft presets it; it has another one only if that failed. */
const queryPort = (values: Values, game: { now: number; next: number }, failed: FailedUse | undefined) => {
  const query = portOf(values, QUERY)
  if (!isOn(values, QUERY.when)) return { is: 'kept' } as const
  if (failed === 'query') return query === game.next ? ({ is: 'another' } as const) : ({ is: 'game' } as const)
  return query === game.now && game.next !== game.now ? ({ is: 'game' } as const) : ({ is: 'kept' } as const)
}

/**
 * The edits of server.properties after a port could not be opened: the game gets the server's primary port, whatever
 * else failed or stands on the game's port gets a free one of the server's own, and an address that is not the server's
 * is cleared. Settings that work stay.
 */
export function portPlan(values: Values, ports: PlanPorts, failed: FailedUse | undefined): PortPlan {
  const edits = new Edits(values)
  const now = portOf(values, GAME)
  const next = ports.own.includes(now) ? now : ports.primary
  if (next !== now) edits.set(GAME.key, String(next))
  const address = (values.get(ADDRESS) ?? '').trim()
  const isGame = failed === 'game' || failed === undefined
  if (isGame && !ALL_ADDRESSES.includes(address) && address !== ports.ip) edits.set(ADDRESS, '')

  const inUse = new Set([next, portOf(values, QUERY), ...FURTHER.map((each) => portOf(values, each))])
  const takeFree = (key: string): boolean => {
    const port = ports.free.find((each) => !inUse.has(each))
    if (port === undefined) return false
    inUse.add(port)
    edits.set(key, String(port))
    return true
  }
  // Without words about what failed, a port that is not the server's is the one to suspect.
  const isWrong = (use: FailedUse | undefined, port: number): boolean =>
    port === next || (failed === undefined ? port !== 0 && !ports.own.includes(port) : use === failed)
  for (const { use, when, ...place } of FURTHER) {
    if (isOn(values, when) && isWrong(use, portOf(values, place)) && !takeFree(place.key))
      return { is: 'no-port', key: place.key }
  }
  const query = queryPort(values, { now, next }, failed)
  if (query.is === 'game') edits.set(QUERY.key, String(next))
  if (query.is === 'another' && !takeFree(QUERY.key)) return { is: 'no-port', key: QUERY.key }
  return edits.list.length > 0 ? { is: 'edit', edits: edits.list } : { is: 'right' }
}
