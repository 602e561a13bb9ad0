// Everything that Bakter needs, on one machine, with one command. `--dev` runs the sources and watches them.
// This file and what it imports use nothing but Node, because it also runs before the packages are installed.
import { refuseSecondUser, takeDataFolder } from './data-folder.mjs'
import { checkDisk, checkPorts, installIfNeeded, sentenceOf } from './preflight.mjs'
import { reachStores } from './own-stores.mjs'
import { settingsFrom } from './settings.mjs'
import { Shutdown } from './shutdown.mjs'

const shutdown = new Shutdown()
shutdown.listen()
try {
  // Before anything is installed: that takes the packages away from the programs that run.
  const settings = settingsFrom(process.env)
  refuseSecondUser(settings.dataDir)
  await checkPorts(settings.ports, settings.host)
  checkDisk(settings.dataDir)
  shutdown.undo.unshift(takeDataFolder(settings.dataDir))
  await reachStores(settings)
  await installIfNeeded()
  const { supervise } = await import('./supervisor.mjs')
  await supervise({ settings, shutdown, isDevelopment: process.argv.includes('--dev') })
} catch (error) {
  // A step that was ended by a signal is no failure; the signal ends the process.
  if (!shutdown.asked) {
    await shutdown.stop()
    console.error(sentenceOf(error))
    process.exit(1)
  }
}
