import { AgentError } from '../../platform/agent-error.ts'
import type { CommandResult, RunCommand } from '../../platform/run-command.ts'
import type { Timers } from '../../platform/timers.ts'
import { firewallText, type Door, type Family, type FirewallSettings } from './firewall-rules.ts'

const AGAIN_EVERY_MS = 30_000
const PROGRAMS: Readonly<Record<Family, { readonly save: string; readonly restore: string }>> = {
  v4: { save: 'iptables-save', restore: 'iptables-restore' },
  v6: { save: 'ip6tables-save', restore: 'ip6tables-restore' },
}

export interface FirewallDeps {
  /** Runs in the network namespace of Docker's bridges. */
  readonly run: RunCommand
  readonly timers: Timers
}

const firstLine = (result: CommandResult): string => result.stderr.trim().split('\n')[0] ?? ''

/**
 * Isolates servers' networks from one another, from the node and from private networks. If the rules are removed (by a
 * restart of Docker's or the system's own firewall), they are restored within half a minute and before each new
 * network.
 */
export class NodeFirewall {
  private readonly deps: FirewallDeps
  private readonly settings: FirewallSettings
  /** By bridge. */
  private readonly doors = new Map<string, Door>()
  private applying: Promise<void> | undefined
  private stop: (() => void) | undefined

  constructor(deps: FirewallDeps, settings: FirewallSettings) {
    this.deps = deps
    this.settings = settings
  }

  /**
   * Writes the rules. Throws an AgentError `NETWORK_REFUSED` with one sentence when the agent is not permitted to or
   * cannot.
   */
  apply(): Promise<void> {
    this.applying ??= this.applyAll().finally(() => {
      this.applying = undefined
    })
    return this.applying
  }

  /** Opens the door; it is open when this resolves. Throws as `apply` does, and then the door is shut. */
  async letIn(door: Door): Promise<void> {
    this.doors.set(door.bridge, door)
    try {
      await this.applyAfterThis()
    } catch (error) {
      this.doors.delete(door.bridge)
      throw error
    }
  }

  /** Shuts the door of the bridge; it is shut when this resolves. */
  async shut(bridge: string): Promise<void> {
    if (this.doors.delete(bridge)) await this.applyAfterThis()
  }

  /** Doors of bridges made by a previous agent: the next `apply` opens them. */
  expect(doors: readonly Door[]): void {
    for (const door of doors) this.doors.set(door.bridge, door)
  }

  /** Applies the rules now and every half minute; `failed` receives a sentence when that fails. */
  async keep(failed: (sentence: string) => void): Promise<void> {
    await this.apply()
    this.stop?.()
    this.stop = this.deps.timers.every(AGAIN_EVERY_MS, () => {
      this.apply().catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)))
    })
  }

  /** Stops maintaining the rules. They stay, because servers keep running without the agent. */
  close(): void {
    this.stop?.()
    this.stop = undefined
  }

  /** Whether the bridge is in the network namespace of the rules. */
  async sees(bridge: string): Promise<boolean> {
    const devices = await this.deps.run('cat', ['/proc/net/dev'])
    return devices.code === 0 && devices.stdout.split('\n').some((line) => line.trim().startsWith(`${bridge}:`))
  }

  /** Rules that are being written now may be older than the last change of doors. */
  private async applyAfterThis(): Promise<void> {
    await this.applying?.catch(() => {})
    await this.apply()
  }

  private async applyAll(): Promise<void> {
    await this.applyTo('v4')
    // A kernel without IPv6 has no packets to filter.
    const hasV6 = (await this.deps.run('cat', ['/proc/net/if_inet6'])).code === 0
    if (hasV6) await this.applyTo('v6')
  }

  private async applyTo(family: Family): Promise<void> {
    const { save, restore } = PROGRAMS[family]
    const saved = await this.deps.run(save, ['-t', 'filter'])
    if (saved.code !== 0) throw refusal(save, firstLine(saved))
    const text = firewallText(family, { ...this.settings, doors: [...this.doors.values()] }, saved.stdout)
    const restored = await this.deps.run(restore, ['--noflush', '--wait', '10'], text)
    if (restored.code !== 0) throw refusal(restore, firstLine(restored))
  }
}

const refusal = (program: string, told: string): AgentError =>
  new AgentError(
    'NETWORK_REFUSED',
    `Servers are not kept apart, so none is started: ${program} failed (${told}). The agent needs iptables, the right ` +
      "NET_ADMIN and the node's own network.",
    { retryable: true },
  )
