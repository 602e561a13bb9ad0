import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, describe } from 'vitest'

import { runtimeDriverSuite } from '../../suites/runtime-driver.suite.ts'
import { startTestDockerDaemon, type TestDockerDaemon } from '../../support/docker-daemon.ts'
import { dockerRig, GAME_UID } from '../../support/docker-driver-rig.ts'
import { IMAGE_GAME, loadTestImage } from '../../support/docker-image.ts'

let daemon: TestDockerDaemon
let folder: string
let rig: ReturnType<typeof dockerRig>

beforeAll(async () => {
  daemon = await startTestDockerDaemon({ liveRestore: true })
  const { id } = await loadTestImage(daemon.docker)
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-driver-'))
  rig = dockerRig(daemon, { image: id, folder })
})
afterEach(() => rig.closeAll())
afterAll(async () => {
  await daemon.remove()
  rmSync(folder, { recursive: true, force: true })
})

describe('docker driver', () => {
  runtimeDriverSuite(() => ({
    newDriver: () => rig.newDriver(),
    newFolders: () => rig.newFolders(),
    game: IMAGE_GAME,
    image: '~game:test',
    uid: GAME_UID,
    missing: ['/no/such/program'],
    environment: () => ({ GAME_START_DELAY_MS: '10' }),
  }))
})
