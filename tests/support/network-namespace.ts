import { execFileSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { networkInterfaces } from 'node:os'

export interface TestNamespace {
  readonly name: string
  /** Address of this machine's end of the cable, and of the namespace's end. */
  readonly outsideAddress: string
  readonly address: string
  /** argv that runs the command in the namespace. Only the network differs: cgroups and mounts are those of the machine. */
  enter(command: string, ...args: string[]): readonly [string, ...string[]]
  /** Runs a command in the namespace and returns its standard output; throws when it fails. */
  run(command: string, ...args: string[]): string
  remove(): void
}

const run = (command: string, args: readonly string[], input?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', timeout: 20_000, stdio: ['pipe', 'pipe', 'pipe'], input })

/** A network of four addresses in 198.18.0.0/15, which is set apart for tests, that no interface of this machine has. */
function freeCable(): { outside: string; inside: string } {
  const taken = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address))
  for (;;) {
    const start = `198.${randomInt(18, 20)}.${randomInt(256)}`
    if (!taken.some((address) => address.startsWith(`${start}.`)))
      return { outside: `${start}.1`, inside: `${start}.2` }
  }
}

const NAME_START = 'bakter-'
const endsOf = (name: string): { outside: string; inside: string } => {
  const id = name.slice(NAME_START.length)
  return { outside: `tst-o-${id}`, inside: `tst-i-${id}` }
}

/** Removes the namespace and its cable, also one that another process made; what is gone already is no error. */
export function removeTestNamespace(name: string): void {
  for (const args of [
    ['link', 'del', endsOf(name).outside],
    ['netns', 'del', name],
  ]) {
    try {
      run('ip', args)
    } catch {
      // It is gone already, or was never made.
    }
  }
}

/**
 * A network namespace from which no route leads out: it has its own loopback, firewall and one cable to this machine, so
 * the test can reach what is published there, and nothing there can reach a third place. Needs root.
 */
export function createTestNamespace(): TestNamespace {
  const name = `${NAME_START}${randomUUID().slice(0, 8)}`
  const cable = freeCable()
  const ends = endsOf(name)
  const enter: TestNamespace['enter'] = (command, ...args) => [
    'nsenter',
    `--net=/run/netns/${name}`,
    '--',
    command,
    ...args,
  ]
  const inside = (command: string, ...args: string[]): string => {
    const [program, ...rest] = enter(command, ...args)
    return run(program, rest)
  }
  const remove = (): void => removeTestNamespace(name)
  try {
    run('ip', ['netns', 'add', name])
    run('ip', ['link', 'add', ends.outside, 'type', 'veth', 'peer', 'name', ends.inside, 'netns', name])
    run('ip', ['addr', 'add', `${cable.outside}/30`, 'dev', ends.outside])
    run('ip', ['link', 'set', ends.outside, 'up'])
    inside('ip', 'addr', 'add', `${cable.inside}/30`, 'dev', ends.inside)
    inside('ip', 'link', 'set', ends.inside, 'up')
    inside('ip', 'link', 'set', 'lo', 'up')
    if (inside('ip', 'route', 'show', 'default').trim() !== '') throw new Error('The namespace has a way out.')
  } catch (error) {
    remove()
    throw error
  }
  return { name, outsideAddress: cable.outside, address: cable.inside, enter, run: inside, remove }
}
