// Everything that Bakter needs, on one machine, with one command. `--dev` runs the sources and watches them. This file
// and its imports use only Node, because it also runs before the packages are installed.
import { refuseSecondUser, takeDataFolder } from './data-folder.mjs'
import { checkDisk, checkPorts, installIfNeeded, sentenceOf } from './preflight.mjs'
import { reachStores } from './own-stores.mjs'
import { settingsFrom } from './settings.mjs'
import { Shutdown } from './shutdown.mjs'

const shutdown = new Shutdown()
shutdown.listen()
try {
  // Checked before anything is installed, because that would remove the packages of running programs.
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
  // A step ended by a signal is not a failure; the signal ends the process.
  if (!shutdown.asked) {
    await shutdown.stop()
    console.error(sentenceOf(error))
    process.exit(1)
  }
}
