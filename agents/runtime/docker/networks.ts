import { createHash } from 'node:crypto'

import { AgentError } from '../../platform/agent-error.ts'
import type { TaskHandle } from '../driver/task-handle.ts'
import { addressIn, freeRange, networkOf, parseRange, rangeText, type Range } from './cidr.ts'
import { valueOf } from './engine-answer.ts'
import type { DockerEngine } from './engine.ts'
import { BRIDGE_PREFIX } from './firewall-rules.ts'
import type { NodeFirewall } from './firewall.ts'
import { LABEL, type Owner } from './labels.ts'

export interface NetworkSettings {
  /** The range of servers' networks, such as `10.213.0.0/16`. */
  readonly pool: Range
  /** Prefix length of one network: 29 holds the bridge and five containers. */
  readonly bits: number
  /** The range for IPv6 networks of 64 bits each; null leaves servers without IPv6. */
  readonly poolV6: Range | null
}

const DEFAULT_POOL = '10.213.0.0/16'
const SERVER_BITS = 29
const SERVER_BITS_V6 = 64
const OTHER_PLACE_ATTEMPTS = 8

/** Parses AGENT_NETWORK_POOL and AGENT_NETWORK_POOL_V6. Throws one sentence when a range is invalid or too small. */
export const networkSettings = (pool = DEFAULT_POOL, poolV6?: string): NetworkSettings => {
  const v4 = parseRange(pool)
  if (v4?.width !== 32 || v4.bits > SERVER_BITS) {
    throw new Error(`"${pool}" is no IPv4 range of at least a /${SERVER_BITS} for servers' networks.`)
  }
  const v6 = poolV6 === undefined ? null : parseRange(poolV6)
  if (v6 === undefined || (v6 !== null && (v6.width !== 128 || v6.bits > SERVER_BITS_V6))) {
    throw new Error(`"${poolV6}" is no IPv6 range of at least a /${SERVER_BITS_V6} for servers' networks.`)
  }
  return { pool: v4, bits: SERVER_BITS, poolV6: v6 }
}

/** The node's npm cache, as far as networks use it. */
export interface NodeCache {
  readonly port: number
  /** Listens at an additional address of the node. Resolves with the address for installers there. */
  listenAt(host: string): Promise<string>
  leave(host: string): void
}

export interface NetworkDeps {
  /** Null: installers use the registry directly. */
  readonly cache: NodeCache | null
  /** Receives a sentence when an installer has to do without the cache. */
  readonly warn: (sentence: string) => void
  readonly engine: DockerEngine
  readonly firewall: NodeFirewall
  readonly owner: () => Owner
  /** Addresses of the node's own interfaces with their prefix, such as `192.0.2.7/24`: no pool may cover them. */
  readonly nodeAddresses: () => readonly string[]
}

/** The used part of the engine's report of a network. */
interface KnownNetwork {
  readonly Id: string
  readonly Name: string
  readonly Driver: string
  readonly IPAM?:
    { readonly Config?: readonly { readonly Subnet?: string | undefined }[] | null | undefined } | undefined
  readonly Options?: Readonly<Record<string, string>> | null | undefined
  readonly Labels?: Readonly<Record<string, string>> | null | undefined
}

type Kind = TaskHandle['kind']

export interface PreparedNetwork {
  readonly name: string
  /** The address of npm's registry in this network; null leaves it to the settings. */
  readonly registry: string | null
}

/** Interface names are limited to 15 characters, so the server's id is hashed. */
const bridgeOf = (serverId: string, kind: Kind): string =>
  BRIDGE_PREFIX + createHash('sha256').update(`${serverId}/${kind}`).digest('hex').slice(0, 12)

const optionsOf = (serverId: string, kind: Kind): Record<string, string> => ({
  'com.docker.network.bridge.name': bridgeOf(serverId, kind),
  'com.docker.network.bridge.enable_icc': 'false',
  'com.docker.network.bridge.enable_ip_masquerade': 'true',
})

/** The bridge's own address, which is the node's in this network. */
const gatewayOf = (ranges: readonly Range[]): string | undefined => {
  const range = ranges.find(({ width }) => width === 32)
  return range === undefined ? undefined : addressIn(range, 1)
}

const rangesOf = (networks: readonly KnownNetwork[]): Range[] =>
  networks.flatMap(({ IPAM }) =>
    (IPAM?.Config ?? []).flatMap(({ Subnet }) => (Subnet ? (networkOf(Subnet) ?? []) : [])),
  )

/** Gives each server its own network, and its installation another, so that no two customers ever share one. */
export class DockerNetworks {
  private readonly deps: NetworkDeps
  private readonly settings: NetworkSettings
  /** Concurrent calls would choose the same free range. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(deps: NetworkDeps, settings: NetworkSettings) {
    this.deps = deps
    this.settings = settings
  }

  /**
   * The server's network, created if it is missing or was removed by hand; the node's firewall is in place before it is
   * returned. An installation's network reaches only the node's npm cache, at the returned address. Throws an
   * AgentError: `NETWORK_REFUSED` when the firewall cannot be set or the pool is exhausted, `RUNTIME_UNREACHABLE` when
   * the engine does not respond.
   */
  prepare(serverId: string, kind: Kind): Promise<PreparedNetwork> {
    return this.inTurn(async () => {
      await this.deps.firewall.apply()
      const all = await this.list()
      const own = all.filter((network) => this.isOf(network, serverId, kind))
      const sound = own.find((network) => isSound(network, serverId, kind))
      for (const network of own) if (network !== sound) await this.removeOne(network)
      const { name, ranges } =
        sound === undefined
          ? await this.create(serverId, kind, rangesOf(all))
          : { name: sound.Name, ranges: rangesOf([sound]) }
      await this.assertInReach(serverId, kind)
      return { name, registry: kind === 'install' ? await this.offerCache(serverId, gatewayOf(ranges)) : null }
    })
  }

  /** Removes an installation's network, and with it the access to the node's cache. */
  release(serverId: string): Promise<void> {
    return this.inTurn(async () => {
      for (const network of await this.list()) {
        if (this.isOf(network, serverId, 'install')) await this.takeAway(serverId, network)
      }
    })
  }

  /** Adopts the installations that outlived the previous agent. Called once, before the firewall is applied. */
  async adopt(): Promise<void> {
    const { cache, firewall } = this.deps
    if (cache === null) return
    const { installation } = this.deps.owner()
    for (const network of await this.list()) {
      const serverId = network.Labels?.[LABEL.server]
      const isOwn = network.Labels?.[LABEL.installation] === installation && network.Labels[LABEL.kind] === 'install'
      const address = gatewayOf(rangesOf([network]))
      if (!isOwn || serverId === undefined || address === undefined || !isSound(network, serverId, 'install')) continue
      if ((await this.listenAt(cache, address)) === null) continue
      firewall.expect([{ bridge: bridgeOf(serverId, 'install'), address, port: cache.port }])
    }
  }

  /** Removes the server's networks. A missing one is not an error; one still in use is. */
  remove(serverId: string): Promise<void> {
    return this.inTurn(async () => {
      for (const network of await this.list()) {
        if (this.isOf(network, serverId, 'install')) await this.takeAway(serverId, network)
        if (this.isOf(network, serverId, 'server')) await this.removeOne(network)
      }
    })
  }

  /** Ids of the servers that have a network here. */
  async servers(): Promise<string[]> {
    const { installation } = this.deps.owner()
    const own = (await this.list()).filter(({ Labels }) => Labels?.[LABEL.installation] === installation)
    return [...new Set(own.flatMap(({ Labels }) => Labels?.[LABEL.server] ?? []))]
  }

  private inTurn<T>(action: () => Promise<T>): Promise<T> {
    const mine = this.last.then(action, action)
    this.last = mine.catch(() => {})
    return mine
  }

  private list(): Promise<readonly KnownNetwork[]> {
    return this.deps.engine.get('list its networks', (docker) => docker.listNetworks())
  }

  private isOf({ Labels }: KnownNetwork, serverId: string, kind: Kind): boolean {
    return (
      Labels?.[LABEL.installation] === this.deps.owner().installation &&
      Labels[LABEL.server] === serverId &&
      Labels[LABEL.kind] === kind
    )
  }

  private async create(
    serverId: string,
    kind: Kind,
    used: readonly Range[],
  ): Promise<{ name: string; ranges: Range[] }> {
    const owner = this.deps.owner()
    const taken = [...used, ...this.deps.nodeAddresses().flatMap((address) => networkOf(address) ?? [])]
    const name = `bakter-${owner.installation.slice(0, 12)}-${serverId}-${kind}`
    for (let attempt = 0; attempt < OTHER_PLACE_ATTEMPTS; attempt += 1) {
      const ranges = this.choose(taken)
      const made = await this.deps.engine.ask('make a network', (docker) =>
        docker.createNetwork({
          Name: name,
          CheckDuplicate: true,
          Driver: 'bridge',
          Internal: false,
          Attachable: false,
          EnableIPv6: ranges.length > 1,
          IPAM: {
            Driver: 'default',
            Config: ranges.map((range) => ({ Subnet: rangeText(range), Gateway: addressIn(range, 1) })),
          },
          Options: optionsOf(serverId, kind),
          Labels: {
            [LABEL.installation]: owner.installation,
            [LABEL.node]: owner.node,
            [LABEL.server]: serverId,
            [LABEL.kind]: kind,
          },
        }),
      )
      if (made.ok) return { name, ranges }
      // A route or an unlisted network has this range; the next one may be free.
      if (!/overlap|conflicts with/i.test(made.message)) return valueOf<never>(made, 'make a network')
      taken.push(...ranges)
    }
    throw new AgentError(
      'NETWORK_REFUSED',
      'The node has networks of its own in the pool for servers (AGENT_NETWORK_POOL).',
    )
  }

  private choose(taken: readonly Range[]): Range[] {
    const { pool, bits, poolV6 } = this.settings
    const v4 = freeRange(pool, bits, taken)
    const v6 = poolV6 === null ? null : freeRange(poolV6, SERVER_BITS_V6, taken)
    if (v4 === undefined || v6 === undefined) {
      const used = rangeText(v4 === undefined || poolV6 === null ? pool : poolV6)
      throw new AgentError('NETWORK_REFUSED', `All networks of ${used} are in use; give the node a larger pool.`)
    }
    return v6 === null ? [v4] : [v4, v6]
  }

  /** The cache's address for the installer; null if it has to do without. */
  private async offerCache(serverId: string, address: string | undefined): Promise<string | null> {
    const { cache, firewall } = this.deps
    if (cache === null || address === undefined) return null
    const url = await this.listenAt(cache, address)
    if (url !== null) await firewall.letIn({ bridge: bridgeOf(serverId, 'install'), address, port: cache.port })
    return url
  }

  private async listenAt(cache: NodeCache, address: string): Promise<string | null> {
    try {
      return await cache.listenAt(address)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.deps.warn(`An installation does without the node's npm cache: ${reason}`)
      return null
    }
  }

  private async takeAway(serverId: string, network: KnownNetwork): Promise<void> {
    const address = gatewayOf(rangesOf([network]))
    await this.deps.firewall.shut(bridgeOf(serverId, 'install'))
    if (address !== undefined) this.deps.cache?.leave(address)
    await this.removeOne(network)
  }

  private async removeOne(network: KnownNetwork): Promise<void> {
    const answer = await this.deps.engine.ask('remove a network', (docker) => docker.getNetwork(network.Id).remove())
    if (!answer.ok && answer.code !== 'NOT_FOUND') valueOf(answer, 'remove a network')
  }

  /** Rules in another network namespace than the bridges would protect nothing. */
  private async assertInReach(serverId: string, kind: Kind): Promise<void> {
    if (await this.deps.firewall.sees(bridgeOf(serverId, kind))) return
    const message =
      "The agent does not see Docker's networks, so it cannot keep servers apart: run it in the node's own network."
    throw new AgentError('NETWORK_REFUSED', message)
  }
}

/** Whether we made it: a network with our labels that allows traffic between containers is not used. */
const isSound = (network: KnownNetwork, serverId: string, kind: Kind): boolean =>
  network.Driver === 'bridge' &&
  Object.entries(optionsOf(serverId, kind)).every(([name, value]) => network.Options?.[name] === value)
