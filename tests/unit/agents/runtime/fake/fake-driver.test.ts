import { describe } from 'vitest'

import { FakeDriver, FakeWorld } from '../../../../../agents/runtime/fake/fake-driver.ts'
import { ManualClock } from '../../../../setup/manual-clock.ts'
import { runtimeDriverSuite } from '../../../../suites/runtime-driver.suite.ts'
import { addFakeGame } from '../../../../support/fake-game.ts'

describe('fake driver', () => {
  let folders = 0
  runtimeDriverSuite(() => {
    const world = new FakeWorld()
    addFakeGame(world, 'game')
    const clock = new ManualClock()
    return {
      newDriver: () => new FakeDriver(world, clock),
      newFolders: () => {
        folders += 1
        return { root: `/fake/${folders}/root`, state: `/fake/${folders}/state`, console: `/fake/${folders}/console` }
      },
      game: ['game'],
      missing: ['no-such-program'],
      environment: () => ({}),
    }
  })
})
