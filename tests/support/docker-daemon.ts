import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import Docker from 'dockerode'

import { mountsBelow } from './mounts.ts'
import { createTestNamespace, removeTestNamespace, type TestNamespace } from './network-namespace.ts'
import { startOwnProcess, type OwnProcess } from './own-process.ts'
import { processesNaming, processTree, stillRunning } from './process-tree.ts'
import { waitFor } from './wait-for.ts'

export interface DockerDaemonOptions {
  /** Containers keep running while the daemon restarts. */
  liveRestore?: boolean
  /** Further arguments of dockerd, such as `--ip6tables`. */
  args?: string[]
}

/**
 * A separate dockerd in a network namespace without internet access. Published ports of its containers are reachable
 * from the test at `namespace.address`.
 */
export interface TestDockerDaemon {
  readonly socketPath: string
  readonly namespace: TestNamespace
  /** A client without time-outs, for the test's own queries. */
  readonly docker: Docker
  /** Id of dockerd, after a restart the new one's. */
  pid(): number
  output(): string
  /** Starts it again after `kill` or `shutDown`. */
  start(): Promise<void>
  /** As `systemctl stop docker`: without live-restore the containers end. */
  shutDown(): Promise<void>
  restart(): Promise<void>
  kill(): Promise<void>
  /** dockerd starts another one after ten seconds; `containerdIsBack` waits for it. */
  killContainerd(): Promise<void>
  containerdIsBack(): Promise<void>
  /**
   * Leaves dockerd alive with an open socket, but unresponsive. Resolves when none of its threads runs any more: until then
   * it may still answer.
   */
  freeze(): Promise<void>
  thaw(): void
  /** Ends containers and daemon and deletes their folder, mounts and cgroups. */
  remove(): Promise<void>
}

const CGROUPS = '/sys/fs/cgroup'

/** The states of a process's threads, as in proc(5): `T` is stopped. One that ended meanwhile is left out. */
function threadStates(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      return [stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)]
    } catch {
      return []
    }
  })
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function unmountBelow(folder: string): void {
  for (const point of mountsBelow(folder).reverse()) execFileSync('umount', ['-l', point])
}

/** Empty cgroups below `name`, in every hierarchy. */
function removeCgroups(name: string): void {
  const removeTree = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeTree(join(folder, entry.name))
    }
    rmdirSync(folder)
  }
  for (const place of [CGROUPS, ...readdirSync(CGROUPS).map((hierarchy) => join(CGROUPS, hierarchy))]) {
    try {
      removeTree(join(place, name))
    } catch {
      // This hierarchy has none.
    }
  }
}

const FOLDER_START = 'bakter-docker-'
/** Names the folder's owner: id of the test's process and name of the namespace. */
const OWNER_FILE = 'owner.json'

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function clearAway(folder: string, namespace: string): void {
  unmountBelow(folder)
  removeCgroups(basename(folder))
  removeTestNamespace(namespace)
  rmSync(folder, { recursive: true, force: true })
}

/** Test processes that were killed leave their daemons behind; the next test ends them. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(FOLDER_START))) {
    const folder = join(tmpdir(), name)
    try {
      const owner = JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')) as { pid: number; namespace: string }
      if (existsSync(`/proc/${owner.pid}`)) continue
      for (const pid of processesNaming(folder).flatMap(processTree)) endProcess(pid)
      clearAway(folder, owner.namespace)
    } catch {
      // Its test is creating or removing it.
    }
  }
}

class OwnDaemon implements TestDockerDaemon {
  readonly socketPath: string
  readonly namespace: TestNamespace
  readonly docker: Docker
  private readonly folder: string
  private readonly options: DockerDaemonOptions
  private process: OwnProcess | undefined

  constructor(options: DockerDaemonOptions) {
    this.options = options
    this.folder = mkdtempSync(join(tmpdir(), FOLDER_START))
    this.socketPath = join(this.folder, 'docker.sock')
    this.docker = new Docker({ socketPath: this.socketPath })
    this.namespace = createTestNamespace()
    const owner = { pid: process.pid, namespace: this.namespace.name }
    writeFileSync(join(this.folder, OWNER_FILE), JSON.stringify(owner))
  }

  pid = (): number => this.process?.pid ?? -1
  output = (): string => this.process?.output() ?? ''

  start = async (): Promise<void> => {
    if (this.process?.isRunning()) throw new Error('dockerd runs already.')
    const flags = {
      'data-root': join(this.folder, 'data'),
      'exec-root': join(this.folder, 'exec'),
      pidfile: join(this.folder, 'dockerd.pid'),
      host: `unix://${this.socketPath}`,
      bridge: 'none',
      'cgroup-parent': `/${basename(this.folder)}`,
      'live-restore': String(this.options.liveRestore ?? false),
      'shutdown-timeout': '5',
    }
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
    const [command, ...rest] = this.namespace.enter('dockerd', ...args, ...(this.options.args ?? []))
    // A restart of the machine would clear what a killed daemon left there.
    rmSync(flags.pidfile, { force: true })
    const daemon = startOwnProcess({ command, args: rest })
    this.process = daemon
    await waitFor('dockerd', async () => {
      daemon.mustRun()
      await this.docker.ping()
      const answering = Number(readFileSync(flags.pidfile, 'utf8'))
      if (answering !== daemon.pid) throw new Error(`Process ${answering} answers for process ${daemon.pid}.`)
      return true
    })
  }

  shutDown = async (): Promise<void> => {
    await this.process?.stop(30_000)
  }

  restart = async (): Promise<void> => {
    await this.shutDown()
    await this.start()
  }

  kill = async (): Promise<void> => {
    const containerd = this.containerd()
    this.process?.signal('SIGKILL')
    await this.process?.ended
    // It dies with its parent. Where nobody reaps orphans its id would count as alive.
    await waitFor('containerd to end', () => stillRunning([containerd]).length === 0)
    rmSync(join(this.folder, 'exec/containerd/containerd.pid'), { force: true })
  }

  killContainerd = async (): Promise<void> => {
    const pid = this.containerd()
    process.kill(pid, 'SIGKILL')
    await waitFor('containerd to end', () => stillRunning([pid]).length === 0)
  }

  containerdIsBack = async (): Promise<void> => {
    await waitFor('another containerd', async () => {
      const [some] = await this.docker.listContainers()
      if (some === undefined) throw new Error('No container runs whose processes could be asked for.')
      return (await this.docker.getContainer(some.Id).top()) !== undefined
    })
  }

  freeze = async (): Promise<void> => {
    this.process?.signal('SIGSTOP')
    const pid = this.pid()
    await waitFor('dockerd to stand still', () => threadStates(pid).every((state) => state === 'T'))
  }
  thaw = (): void => this.process?.signal('SIGCONT')

  remove = async (): Promise<void> => {
    this.thaw()
    const daemon = this.pid()
    const others = (): number[] => processesNaming(this.folder).filter((pid) => pid !== daemon)
    // The supervisors of containers name the folder, and the containers are their children.
    for (const pid of others()
      .filter((member) => /containerd-shim/.test(commandLine(member)))
      .flatMap(processTree)) {
      endProcess(pid)
    }
    await this.shutDown()
    await waitFor('everything of dockerd to end', () => {
      const left = stillRunning(others())
      for (const pid of left) endProcess(pid)
      return left.length === 0
    })
    clearAway(this.folder, this.namespace.name)
  }

  private containerd(): number {
    const pid = processTree(this.pid()).find((member) => /(^|\/)containerd --config /.test(commandLine(member)))
    if (pid === undefined) throw new Error('This dockerd runs no containerd.')
    return pid
  }
}

/** Starts a dockerd with an empty folder; needs root and Debian's packages docker.io, iptables and iproute2. */
export async function startTestDockerDaemon(options: DockerDaemonOptions = {}): Promise<TestDockerDaemon> {
  removeAbandoned()
  const daemon = new OwnDaemon(options)
  try {
    await daemon.start()
  } catch (error) {
    await daemon.remove()
    throw error
  }
  return daemon
}
