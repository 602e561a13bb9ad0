import fs from 'node:fs'
import os from 'node:os'

import { AgentError } from '../../platform/agent-error.ts'
import { runCommand } from '../../platform/run-command.ts'
import type { Timers } from '../../platform/timers.ts'
import { parseEgressAllow, resolverExceptions, type FirewallSettings } from './firewall-rules.ts'
import { NodeFirewall } from './firewall.ts'
import { DockerNetworks, networkSettings, type NetworkDeps } from './networks.ts'

/** The node's settings from the environment. */
export interface NodeNetworkSettings {
  /** AGENT_NETWORK_POOL, such as `10.213.0.0/16`: one /29 for each server and installation. */
  readonly networkPool: string | undefined
  /** AGENT_NETWORK_POOL_V6: one /64 each; unset leaves servers without IPv6. */
  readonly networkPoolV6: string | undefined
  /** AGENT_EGRESS_ALLOW, such as `10.0.0.5:3306, 203.0.113.7:25565-25999`. */
  readonly egressAllow: string | undefined
  /** AGENT_BLOCK_SMTP */
  readonly blockMail: boolean
}

/** systemd keeps the real name servers here when `/etc/resolv.conf` names only its own; Docker reads both, too. */
const RESOLVERS = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf']

const textOf = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')

const nodeAddresses = (): string[] =>
  Object.values(os.networkInterfaces()).flatMap((list) => (list ?? []).flatMap(({ cidr }) => cidr ?? []))

/**
 * Servers' networks and the firewall of this node, from its settings. Throws an AgentError `NETWORK_REFUSED` with one
 * sentence when a setting is wrong. Nothing is applied yet: `firewall.keep` starts it, and each `networks.prepare`
 * ensures it.
 */
export const nodeNetworks = (
  settings: NodeNetworkSettings,
  deps: Pick<NetworkDeps, 'engine' | 'owner' | 'cache' | 'warn'> & { readonly timers: Timers },
): { readonly networks: DockerNetworks; readonly firewall: NodeFirewall } => {
  const { pools, rules } = readSettings(settings)
  const firewall = new NodeFirewall({ run: runCommand, timers: deps.timers }, rules)
  const networks = new DockerNetworks({ ...deps, firewall, nodeAddresses }, pools)
  return { networks, firewall }
}

const readSettings = (settings: NodeNetworkSettings) => {
  try {
    const allow = parseEgressAllow(settings.egressAllow ?? '')
    const resolvers = RESOLVERS.flatMap((file) => resolverExceptions(textOf(file)))
    const rules: FirewallSettings = { allow: [...allow, ...resolvers], blockMail: settings.blockMail }
    return { pools: networkSettings(settings.networkPool, settings.networkPoolV6), rules }
  } catch (error) {
    throw new AgentError('NETWORK_REFUSED', error instanceof Error ? error.message : String(error))
  }
}
