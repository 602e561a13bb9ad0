import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

import { anyNetwork, createTestNamespace, type TestNamespace } from './network-namespace.ts'
import { startOwnProcess } from './own-process.ts'
import type { Attack, Outcome, Plan } from './stranger-program.ts'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = join(import.meta.dirname, 'stranger-program.ts')

export interface RunningAttack {
  /** Resolves when every connection of it stands, or the first call is answered. */
  begun(): Promise<void>
  isOver(): boolean
  /** The result of calls, which end on their own. */
  outcome(): Promise<Outcome>
  /** Ends an attack that would go on, and resolves with its result. */
  end(): Promise<Outcome>
}

/**
 * Strangers in a network namespace of their own, from which no route leads anywhere but to this machine. Each has an
 * address, so that listeners see as many clients.
 */
export interface Strangers {
  readonly addresses: readonly string[]
  /** The address of this machine that they reach. */
  readonly target: string
  attack(
    plan: Omit<Plan, 'host' | 'addresses' | 'attack'> & { addresses?: readonly string[] },
    attack: Attack,
  ): RunningAttack
  remove(): void
}

/** Whether the network has an address, or is reached by a route, on this machine. */
const isTaken = (network: string): boolean =>
  ['addr', 'route'].some((what) =>
    execFileSync('ip', ['-4', what, 'show', ...(what === 'route' ? ['table', 'all'] : [])], {
      encoding: 'utf8',
    }).includes(`${network}.`),
  )

/** Addresses of 198.18.0.0/15, which is reserved for tests, in a network that nothing else of this machine has. */
function addAddresses({ name, address: gateway, run }: TestNamespace, many: number): string[] {
  const id = name.slice('bakter-'.length)
  for (;;) {
    const network = anyNetwork()
    if (isTaken(network)) continue
    try {
      execFileSync('ip', ['route', 'add', `${network}.0/24`, 'dev', `tst-o-${id}`, 'via', gateway], { stdio: 'pipe' })
    } catch (error) {
      // A parallel test file has taken it meanwhile.
      if (String(error).includes('File exists')) continue
      throw error
    }
    const addresses = Array.from({ length: many }, (_, at) => `${network}.${at + 1}`)
    for (const address of addresses) run('ip', 'addr', 'add', `${address}/32`, 'dev', `tst-i-${id}`)
    return addresses
  }
}

/** Needs root. `many` is at most 250. */
export function createStrangers(many: number): Strangers {
  const namespace = createTestNamespace()
  const addresses = addAddresses(namespace, many)
  const attack: Strangers['attack'] = (plan, what) => {
    const whole: Plan = { addresses, ...plan, host: namespace.outsideAddress, attack: what }
    const [command, ...args] = namespace.enter(process.execPath, '--import', 'tsx', PROGRAM, JSON.stringify(whole))
    const program = startOwnProcess({ command, args, cwd: ROOT })
    const outcome = async (): Promise<Outcome> => {
      await program.ended
      const found = /^outcome (.*)$/m.exec(program.output())?.[1]
      if (found === undefined) throw new Error(`The strangers reported nothing:\n${program.output()}`)
      return JSON.parse(found) as Outcome
    }
    return {
      begun: () => program.waitForOutput('begun\n', 120_000),
      isOver: () => !program.isRunning(),
      outcome,
      end: async () => {
        program.signal('SIGTERM')
        return outcome()
      },
    }
  }
  return { addresses, target: namespace.outsideAddress, attack, remove: () => namespace.remove() }
}
