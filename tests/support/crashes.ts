import { expect } from 'vitest'
import { startOwnProcess } from './own-process.ts'
import { programArguments } from './test-program.ts'
import { waitFor } from './wait-for.ts'

/** The faults at a fault point: its process is killed, it throws, or it is delayed while others continue. */
export const CRASHES = ['kill', 'throw', 'delay'] as const
export type Crash = (typeof CRASHES)[number]

/** Every crash at each of the fault points, in turn: a share of four has crashes of every kind, a share of three would have one kind. */
export const crashesAt = (faults: readonly string[]): (readonly [fault: string, crash: Crash])[] =>
  faults.flatMap((fault) => CRASHES.map((crash) => [fault, crash] as const))

type Killed = { readonly databaseUrl: string; readonly work: object; readonly fault: string }

/** Runs the work by the script in a separate process that kills itself with SIGKILL at the fault point. */
export async function killedAt(script: URL, { databaseUrl, work, fault }: Killed): Promise<void> {
  const child = startOwnProcess({
    command: process.execPath,
    args: await programArguments(script),
    env: { DATABASE_URL: databaseUrl, WORK: JSON.stringify(work), FAULT: `${fault}:1:kill` },
  })
  const { signal } = await child.ended
  expect([fault, signal, child.output()]).toEqual([fault, 'SIGKILL', ''])
}

/** A fault point that runs `act` at one name, and nothing at the others. */
export const doingAt = (fault: string, act: () => Promise<void>) => async (name: string) => {
  if (name === fault) await act()
}

export const throwingAt = (fault: string) =>
  doingAt(fault, async () => {
    throw new Error(fault)
  })

/** PostgreSQL needs time to notice a killed process; until then its key is still in use. */
export const untilFree = <Result extends { ok: boolean; code?: string }>(run: () => Promise<Result>): Promise<Result> =>
  waitFor('the key of the killed process', async () => {
    const result = await run()
    return result.code === 'IN_PROGRESS' ? undefined : result
  })

type Once<Command> = {
  readonly run: (command: Command, faults?: (name: string) => Promise<void>) => Promise<{ ok: boolean; code?: string }>
  /** The same request under another key. */
  readonly second: (command: Command) => Command
  /** Runs the command in a separate process. */
  readonly killed: (fault: string, command: Command) => Promise<void>
  /** The last fault point: from there on the key is stored. */
  readonly committed: string
}

/**
 * Kills, fails or delays work that is done once per key. While it is delayed, somebody else sends the same request,
 * under the same key and under another.
 */
export async function crashed<Command>(
  { run, second, killed, committed }: Once<Command>,
  [fault, crash]: readonly [fault: string, crash: Crash],
  command: Command,
): Promise<void> {
  if (crash === 'kill') return killed(fault, command)
  if (crash === 'throw') return expect(run(command, throwingAt(fault))).rejects.toThrow(fault)
  const others: Promise<unknown>[] = []
  const meanwhile = doingAt(fault, async () => {
    others.push(run(second(command)))
    const same = await run(command)
    expect(same.ok ? 'replayed' : same.code).toBe(fault === committed ? 'replayed' : 'IN_PROGRESS')
  })
  await run(command, meanwhile)
  await Promise.all(others)
}
