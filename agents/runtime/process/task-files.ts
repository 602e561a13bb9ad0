import fs from 'node:fs'
import path from 'node:path'
import type { TaskExit } from '../driver/task-handle.ts'
import type { ProcessIdentity } from '../../platform/process-identity.ts'

/** The driver's order to a shim. Written before the shim is spawned, never changed afterwards. */
export interface ShimSpec {
  readonly version: 1
  readonly taskId: string
  readonly kind: 'install' | 'server'
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly workingFolder: string
  readonly consoleFolder: string
  readonly uid: number | null
  readonly timeoutMs: number | null
}

/** Written by the shim once the program runs. */
export interface ShimState {
  readonly version: 1
  readonly shim: ProcessIdentity
  readonly child: ProcessIdentity
  readonly startedAtMs: number
}

export interface ShimExit extends TaskExit {
  readonly version: 1
  /** The system's error code when the program could not be started. */
  readonly startError: string | null
}

/** The creator of this file decides about the task: a shim begins it, or the driver rules it out for ever. */
export type Claim = { readonly by: 'shim'; readonly shim: ProcessIdentity } | { readonly by: 'driver' }

export const ENVIRONMENT_MARK = 'BAKTER_TASK'

export const taskFolder = (stateFolder: string, taskId: string): string => path.join(stateFolder, 'tasks', taskId)

/** The state folder of the server that a task's folder belongs to. */
export const stateFolderOf = (folder: string): string => path.resolve(folder, '..', '..')

const file = {
  spec: (folder: string) => path.join(folder, 'spec.json'),
  claim: (folder: string) => path.join(folder, 'claim.json'),
  state: (folder: string) => path.join(folder, 'state.json'),
  exit: (folder: string) => path.join(folder, 'exit.json'),
}

/** An unreadable record counts as absent: the states below handle that, and a crash would not help. */
const readJson = <T>(name: string): T | undefined => {
  try {
    return JSON.parse(fs.readFileSync(name, 'utf8')) as T
  } catch {
    return undefined
  }
}

const writeAtomically = (name: string, value: object): void => {
  const handle = fs.openSync(`${name}.tmp`, 'w', 0o600)
  try {
    fs.writeFileSync(handle, JSON.stringify(value))
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  fs.renameSync(`${name}.tmp`, name)
}

export const readSpec = (folder: string): ShimSpec | undefined => readJson(file.spec(folder))
export const readState = (folder: string): ShimState | undefined => readJson(file.state(folder))
export const readExit = (folder: string): ShimExit | undefined => readJson(file.exit(folder))
export const readClaim = (folder: string): Claim | undefined => readJson(file.claim(folder))

export const writeSpec = (folder: string, spec: ShimSpec): void => writeAtomically(file.spec(folder), spec)
export const writeState = (folder: string, state: ShimState): void => writeAtomically(file.state(folder), state)

/** More than any record of an end needs. */
const EXIT_BYTES = 512

/** Overwrites the existing bytes, so that a full disk does not matter. */
const writeInPlace = (name: string, text: string): void => {
  const handle = fs.openSync(name, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
  try {
    fs.writeSync(handle, text.padEnd(EXIT_BYTES), 0)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Reserves the space for the record of the end, so that it can be written even if the program fills the disk. */
export const reserveExit = (folder: string): void => writeInPlace(`${file.exit(folder)}.tmp`, '')

/** Records the end, in its reserved space. Throws the disk's error; the record is complete or absent. */
export const writeExit = (folder: string, exit: ShimExit): void => {
  writeInPlace(`${file.exit(folder)}.tmp`, JSON.stringify(exit))
  fs.renameSync(`${file.exit(folder)}.tmp`, file.exit(folder))
}

/** Returns false when another process holds the claim. The link makes the file appear complete or not at all. */
export const tryClaim = (folder: string, claim: Claim): boolean => {
  const draft = `${file.claim(folder)}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(claim), { mode: 0o600 })
  try {
    fs.linkSync(draft, file.claim(folder))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}
