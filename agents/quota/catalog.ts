import fs from 'node:fs'
import path from 'node:path'
import type { Clock } from '#platform/clock.ts'
import { AgentError } from '../platform/agent-error.ts'
import { runCommandWithin } from '../platform/run-command.ts'
import type { Timers } from '../platform/timers.ts'
import { DiskUsage } from './disk-usage.ts'
import { Ext4Images } from './loop-ext4/ext4-image.ts'
import { imageBytesOf, isShared } from './loop-ext4/image-size.ts'
import { LoopExt4 } from './loop-ext4/loop-ext4.ts'
import type { FilePlace, QuotaDriver } from './quota-driver.ts'
import { Watcher } from './watcher/watcher.ts'

/** Making an image smaller copies all of it. */
const COMMAND_TIMEOUT_MS = 2 * 3_600_000

export const QUOTA_NAMES = ['watcher', 'loop-ext4'] as const
export type QuotaName = (typeof QUOTA_NAMES)[number]

/** The drivers of this node. A server keeps the one with which it was made. */
export interface Quotas {
  /** New servers get an image of their own. */
  readonly makesImages: boolean
  of(place: FilePlace): QuotaDriver
}

export interface QuotaDeps {
  readonly clock: Clock
  readonly timers: Timers
}

export interface QuotaSettings {
  readonly name: QuotaName
  readonly dataFolder: string
  /** Servers run in containers of an engine, which sees the node's mounts and not those of the agent alone. */
  readonly inContainers: boolean
}

const imagesOf = ({ timers }: QuotaDeps): Ext4Images =>
  new Ext4Images({ timers, run: runCommandWithin(COMMAND_TIMEOUT_MS) })

/** Without a check of the machine. */
export const quotasOf = (name: QuotaName, deps: QuotaDeps): Quotas => {
  const disk = new DiskUsage(deps.clock)
  const watcher = new Watcher(disk)
  const loopExt4 = new LoopExt4({ clock: deps.clock, disk, images: imagesOf(deps) })
  return {
    makesImages: name === 'loop-ext4',
    of: ({ image }) => (image === null ? watcher : loopExt4),
  }
}

/** Makes, mounts and removes a small image, as a server's would be. */
const tryImage = async (dataFolder: string, images: Ext4Images): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(dataFolder, 'quota-'))
  const [file, mountpoint] = [path.join(folder, 'image'), path.join(folder, 'mounted')]
  try {
    fs.mkdirSync(mountpoint)
    await images.make(file, imageBytesOf(1))
    await images.mount(file, mountpoint)
    await images.detach(mountpoint)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The only place that names drivers. Throws an `AgentError` when the machine cannot do what the setting asks for. */
export const openQuotas = async (settings: QuotaSettings, deps: QuotaDeps): Promise<Quotas> => {
  const { name, dataFolder, inContainers } = settings
  if (name === 'watcher') return quotasOf(name, deps)
  const refused = (why: string): AgentError =>
    new AgentError('QUOTA_REFUSED', `AGENT_QUOTA=loop-ext4 is not possible on this machine. ${why}`)
  if (process.getuid?.() !== 0) throw refused('Only root can mount a disk.')
  if (inContainers && !isShared(fs.readFileSync('/proc/self/mountinfo', 'utf8'), fs.realpathSync(dataFolder))) {
    throw refused(`Containers would not see it, because mounts in ${dataFolder} are private to the agent.`)
  }
  try {
    await tryImage(dataFolder, imagesOf(deps))
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error))
  }
  return quotasOf(name, deps)
}
