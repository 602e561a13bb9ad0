import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

// The installation of the small game server for tests and the Docker-free demo. GAME_INSTALL_* make it slow or fail.
const { GAME_INSTALL_LINES = '5', GAME_INSTALL_DELAY_MS = '20', GAME_INSTALL_EXIT = '0' } = process.env

for (let line = 1; line <= Number(GAME_INSTALL_LINES); line += 1) {
  console.log(`Unpacking part ${line} of ${GAME_INSTALL_LINES}`)
  await wait(Number(GAME_INSTALL_DELAY_MS))
}
writeFileSync('installed.txt', 'installed\n', { flag: 'a' })
console.log('The game is unpacked.')
process.exitCode = Number(GAME_INSTALL_EXIT)
