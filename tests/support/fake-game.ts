import type { FakeProcess, FakeProgram, FakeWorld } from '../../agents/runtime/fake/fake-driver.ts'

/** The test game as a script of the fake driver: the same commands, without a process. */
export const addFakeGame = (world: FakeWorld, name: string): void => {
  let starts = 0
  const deaf = new WeakSet<FakeProcess['environment']>()
  const stop = (process: FakeProcess): boolean => {
    if (deaf.has(process.environment)) return true
    process.print('Stopping')
    process.print('World saved')
    process.exit(0)
    return true
  }
  const game: FakeProgram = {
    started: (process) => {
      starts += 1
      process.print(`Start number ${starts}`)
      if (process.environment['GAME_EXIT_ON_START']) process.exit(Number(process.environment['GAME_EXIT_ON_START']))
      else if (!process.environment['GAME_SLOW']) process.print('Done! The game is open')
    },
    line: (process, line) => {
      if (line === 'stop') stop(process)
      else if (line === 'crash') process.exit(42)
      else if (line === 'out of memory') process.exit(null, 'SIGKILL', true)
      else if (line === 'deaf') deaf.add(process.environment)
      else if (line === 'done') process.print('Done! The game is open')
      else if (line.startsWith('say ')) process.print(`[Server] ${line.slice(4)}`)
    },
    signal: stop,
  }
  world.programs.set(name, game)
}
