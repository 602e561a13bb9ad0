import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'

import type { Bundles } from '../../agents/platform/bundles.ts'
import { systemClock } from '#platform/clock.ts'
import { systemTimers } from '../../agents/platform/timers.ts'
import { ProcessDriver } from '../../agents/runtime/process/process-driver.ts'
import type { ServerFolders, TaskSpec } from '../../agents/runtime/driver/runtime-driver.ts'
import { ProcessTable } from '../../agents/runtime/process/process-table.ts'
import { SERVER_ID } from '../factories/server-spec.ts'
import { bundleForTest, scratchFolder, shimCommandOf } from './agent-bundles.ts'
import { ownUsers } from './own-users.ts'
import { waitFor } from './wait-for.ts'

export const UID = ownUsers() + 100
export const isRoot = process.getuid?.() === 0

/** Process drivers with real shims, and tasks and queries for their tests. */
export class ProcessDriverRig {
  readonly bundles: Bundles
  readonly #scratch: ReturnType<typeof scratchFolder>
  #count = 0

  private constructor(scratch: ReturnType<typeof scratchFolder>, bundles: Bundles) {
    this.#scratch = scratch
    this.bundles = bundles
  }

  static async open(): Promise<ProcessDriverRig> {
    const scratch = scratchFolder()
    chmodSync(scratch.path, 0o755)
    return new ProcessDriverRig(scratch, await bundleForTest(scratch.path))
  }

  remove(): void {
    this.#scratch.remove()
  }

  newFolders(deep = ''): ServerFolders {
    this.#count += 1
    const base = path.join(this.#scratch.path, deep, `server-${this.#count}`)
    const folders = {
      root: path.join(base, 'root'),
      state: path.join(base, 'state'),
      console: path.join(base, 'console'),
    }
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
    if (isRoot) chownSync(folders.root, UID, UID)
    return folders
  }

  newDriver(): ProcessDriver {
    return new ProcessDriver({
      clock: systemClock,
      timers: systemTimers,
      processes: new ProcessTable(systemClock),
      shimCommand: shimCommandOf(this.bundles),
      ownUser: isRoot,
      warnings: [],
    })
  }

  specFor(folders: ServerFolders, argv: readonly string[], change: Partial<TaskSpec> = {}): TaskSpec {
    this.#count += 1
    const taskId = `task-${process.pid}-${this.#count}`
    return {
      handle: { version: 1, driver: 'process', taskId, serverId: SERVER_ID, kind: 'server' },
      folders,
      argv,
      environment: { GAME_START_DELAY_MS: '10' },
      limits: { memoryMiB: 256, swapMiB: 0, cpuPercent: 100, pids: 512, ioWeight: null },
      image: null,
      ports: [],
      uid: UID,
      timeoutMs: null,
      ...change,
    }
  }

  game(): readonly string[] {
    return [process.execPath, this.bundles.programs.get('test-game') ?? '']
  }
}

export const exitOf = (driver: ProcessDriver, spec: TaskSpec) =>
  waitFor('the end of the task', async () => {
    const observed = await driver.recover(spec.handle, spec.folders)
    return observed.is === 'exited' && observed.exit
  })

export const textsOf = (driver: ProcessDriver, folders: ServerFolders): string[] => {
  const source = driver.openConsole(folders)
  return source.after(0, 1_000_000).lines.map((line) => line.text)
}
