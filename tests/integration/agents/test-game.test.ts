import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

import { expect, it, onTestFinished } from 'vitest'

import { freePort } from '../../support/free-port.ts'
import { joinGame } from '../../support/game-player.ts'
import { startOwnProcess } from '../../support/own-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PROGRAM = fileURLToPath(new URL('../../../agents/servers/programs/test-game.ts', import.meta.url))
const TSX = import.meta.resolve('tsx')

it('players stay in the game while the connections of others are reset', async () => {
  const port = await freePort()
  const game = startOwnProcess({
    command: process.execPath,
    args: ['--import', TSX, PROGRAM],
    cwd: temporaryFolder(),
    env: { GAME_PORT: String(port), GAME_START_DELAY_MS: '10' },
  })
  onTestFinished(() => game.stop())
  await game.waitForOutput('The game is open')

  const stays = await joinGame({ host: '127.0.0.1', port }, 'Anna')
  for (const name of ['Bela', 'Cili', 'Dani']) {
    const socket = connect(port, '127.0.0.1')
    socket.write(`${name}\n`)
    await game.waitForOutput(`${name} joined the game`)
    socket.resetAndDestroy()
    await game.waitForOutput(`${name} left the game`)
  }
  await stays.hears('still here')
  expect([stays.hasLeft(), game.isRunning()]).toEqual([false, true])
})
