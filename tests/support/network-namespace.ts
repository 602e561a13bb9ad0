import { execFileSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'

export interface TestNamespace {
  readonly name: string
  /** The addresses of this machine's end of the cable, and of the namespace's end. */
  readonly outsideAddress: string
  readonly address: string
  /** argv that runs the command in the namespace. Only the network differs: cgroups and mounts are those of the machine. */
  enter(command: string, ...args: string[]): readonly [string, ...string[]]
  /** Runs a command in the namespace and returns its standard output; throws when it fails. */
  run(command: string, ...args: string[]): string
  remove(): void
}

const run = (command: string, args: readonly string[], input?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', timeout: 60_000, stdio: ['pipe', 'pipe', 'pipe'], input })

/** The interfaces with an address in each network, including those whose peer is still down. */
const addressed = (): { device: string; network: string }[] =>
  run('ip', ['-o', '-4', 'addr', 'show'])
    .split('\n')
    .flatMap((line) => {
      const [, device, network] = /^\d+: (\S+)\s+inet (\d+\.\d+\.\d+)\./.exec(line) ?? []
      return device === undefined || network === undefined ? [] : [{ device, network }]
    })

/** A random network of 198.18.0.0/15, which is reserved for tests. */
export const anyNetwork = (): string => `198.${randomInt(18, 20)}.${randomInt(256)}`

/**
 * Gives a device four addresses that no other device of this machine has. Parallel test files may choose the same at
 * once: each checks again after taking them, so the later one sees both and chooses again.
 */
function takeCable(device: string, chooseNetwork: () => string): { outside: string; inside: string } {
  for (;;) {
    const chosen = chooseNetwork()
    const isElsewhere = () => addressed().some((one) => one.network === chosen && one.device !== device)
    if (isElsewhere()) continue
    run('ip', ['addr', 'add', `${chosen}.1/30`, 'dev', device])
    if (!isElsewhere()) return { outside: `${chosen}.1`, inside: `${chosen}.2` }
    run('ip', ['addr', 'del', `${chosen}.1/30`, 'dev', device])
  }
}

const NAME_START = 'bakter-'
const endsOf = (name: string): { outside: string; inside: string } => {
  const id = name.slice(NAME_START.length)
  return { outside: `tst-o-${id}`, inside: `tst-i-${id}` }
}

/** Removes the namespace and its cable, also those of another process; a missing one is no error. */
export function removeTestNamespace(name: string): void {
  for (const args of [
    ['link', 'del', endsOf(name).outside],
    ['netns', 'del', name],
  ]) {
    try {
      run('ip', args)
    } catch {
      // It is gone already, or was never created.
    }
  }
}

/**
 * A network namespace from which no route leads out: it has its own loopback, firewall and one cable to this machine, so
 * the test can reach what is published there, and nothing there can reach a third place. Needs root. `chooseNetwork`
 * answers the first three numbers of an address, until one of them is free.
 */
export function createTestNamespace(chooseNetwork = anyNetwork): TestNamespace {
  const name = `${NAME_START}${randomUUID().slice(0, 8)}`
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
    const cable = takeCable(ends.outside, chooseNetwork)
    run('ip', ['link', 'set', ends.outside, 'up'])
    inside('ip', 'addr', 'add', `${cable.inside}/30`, 'dev', ends.inside)
    inside('ip', 'link', 'set', ends.inside, 'up')
    inside('ip', 'link', 'set', 'lo', 'up')
    if (inside('ip', 'route', 'show', 'default').trim() !== '') throw new Error('The namespace has a way out.')
    return { name, outsideAddress: cable.outside, address: cable.inside, enter, run: inside, remove }
  } catch (error) {
    remove()
    throw error
  }
}
