// `npm start`: everything that Bakter needs, on one machine, with one command. `--dev` runs the sources and watches them.
// This file and what it imports use nothing but Node, because it also runs before the packages are installed.
import { refuseSecondUser } from './data-folder.mjs'
import { checkPlatform, installIfNeeded } from './preflight.mjs'
import { settingsFrom } from './settings.mjs'

const refusal = checkPlatform()
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(1)
}
try {
  // Before anything is installed: that takes the packages away from the programs that run.
  refuseSecondUser(settingsFrom(process.env).dataDir)
  await installIfNeeded()
  const { supervise } = await import('./supervisor.mjs')
  await supervise({ isDevelopment: process.argv.includes('--dev') })
} catch (error) {
  console.error(error.sentence ?? error.stack)
  process.exit(1)
}
