import type { FromAgent } from '#contracts/agent/session.ts'
import type { IdSource } from '#platform/ids.ts'
import { LoginQuestions } from './connection/login-questions.ts'
import { FileJobs } from './files/file-jobs.ts'
import type { FileWorkers } from './files/file-workers.ts'
import { nodeNetwork } from './files/pulling/node-network.ts'
import { ServerFiles } from './files/server-files.ts'
import { UploadSweeper } from './files/uploads/upload-sweeper.ts'
import { PortsDoor, type PortsDoorDeps } from './http/ports-door.ts'
import { FilesDoor, type FilesDoorDeps } from './http/files-door.ts'
import type { Disk } from './platform/disk.ts'
import type { Timers } from './platform/timers.ts'
import type { RuntimeDriver } from './runtime/driver/runtime-driver.ts'
import type { ManagedServer } from './servers/managed-server.ts'
import { StorageForecast } from './servers/storage-forecast.ts'
import { StorageWatcher } from './servers/storage-watcher.ts'
import type { Quotas } from './quota/catalog.ts'
import { openHostKey } from './sftp/host-key.ts'
import { SftpServer } from './sftp/sftp-server.ts'

type Common = PortsDoorDeps &
  Omit<FilesDoorDeps, 'files' | 'jobs' | 'network' | 'sftp' | 'activity'> & {
    readonly timers: Timers
    readonly ids: IdSource
    readonly disk: Disk
    readonly driver: RuntimeDriver
    readonly settings: { readonly dataFolder: string; readonly sftpPort: number }
  }

interface Hooks {
  readonly workers: FileWorkers
  readonly quotas: Quotas
  readonly activity: FilesDoorDeps['activity']
  /** The node's servers: nothing is pulled from their addresses, and those that store too much are stopped. */
  servers(): readonly ManagedServer[]
  /** Sends a question to the control plane; false without a connection. */
  ask(question: Extract<FromAgent, { type: 'login' | 'logins' }>): boolean
}

export interface FileDoors {
  readonly files: FilesDoor
  readonly ports: PortsDoor
  readonly sftp: SftpServer
  readonly logins: LoginQuestions
  /** Begins to watch the storage; returns how to end it. */
  watch(): () => void
}

/** The doors to the files of the node's servers, by HTTP and by SFTP, and to what listens on their ports; who comes in, and how much the servers store. */
export const createFileDoors = (common: Common, { workers, quotas, activity, servers, ask }: Hooks): FileDoors => {
  const { clock, log, timers, ids, disk, driver, settings } = common
  const files = new ServerFiles({
    clock,
    workers,
    ownUser: driver.capabilities().ownUser,
    usage: ({ core: { layout } }) => quotas.of(layout).usageOf(layout),
  })
  const hostKey = openHostKey(disk, `${settings.dataFolder}/sftp-host-key`)
  const logins = new LoginQuestions({ timers, ids, send: ask })
  const door = new FilesDoor({
    ...common,
    files,
    jobs: new FileJobs({ clock, ids, disk, log }),
    network: nodeNetwork(() =>
      servers().flatMap(({ core: { spec } }) => (spec?.allocations ?? []).map(({ ip }) => ip)),
    ),
    sftp: () => ({ port: settings.sftpPort, fingerprint: hostKey.fingerprint }),
    activity,
  })
  const sftp = new SftpServer({
    ...common,
    hostKey,
    files,
    ask: (request) => logins.login(request),
    confirm: (open) => logins.check(open),
    activity,
  })
  const usage = (server: ManagedServer) => files.usage(server)
  const storage = new StorageWatcher({ timers, log, servers, usage })
  const forecast = new StorageForecast({ timers, clock, log, servers, usage })
  const sweeper = new UploadSweeper({ timers, log, files, servers })
  const watch = (): (() => void) => {
    const ends = [storage.start(), forecast.start(), sweeper.start()]
    return () => {
      for (const end of ends) end()
    }
  }
  return { files: door, ports: new PortsDoor(common), sftp, logins, watch }
}
