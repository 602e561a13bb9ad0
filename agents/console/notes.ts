import type { ConsoleNote, KnownConsoleNote } from '#contracts/console-notes.ts'
import { oneLine } from './console-line.ts'

/** A note of Bakter's own: the sentence for the log, and the code and parameters for translation. */
export interface NoteLine {
  readonly text: string
  readonly note?: ConsoleNote
}

const MAX_PARAM = 1_000

const number = new Intl.NumberFormat('en')
/** `1 line`, `2,000 lines`. */
const linesOf = (lines: string | number): string =>
  `${number.format(Number(lines))} ${Number(lines) === 1 ? 'line' : 'lines'}`

type End = { readonly end: string | number; readonly code: string | number; readonly signal: string | number }

const endOf = ({ end, code, signal }: End): string => {
  if (end === 'signal') return `by ${signal}`
  return end === 'code' ? `with exit code ${code}` : 'with an unknown exit code'
}
const memoryOf = (memory: string | number): string => (memory === 'full' ? ', because it ran out of memory' : '')

const ACTIONS: Readonly<Record<string, string>> = {
  start: 'The start',
  stop: 'The stop',
  restart: 'The restart',
  kill: 'The kill',
  install: 'The installation',
  delete: 'The deletion',
}

/** The failure of an installation step, also for the command's result. */
export const stepFailed = ({ step, ...end }: End & { readonly step: string | number }): string =>
  `Installation step ${step} ended ${endOf(end)}.`

/** The English sentence of a note: src/messages/en.json has the same text. */
const sentenceOf = ({ code, params }: KnownConsoleNote): string => {
  switch (code) {
    case 'crashed':
      return `The server stopped unexpectedly ${endOf(params)}${memoryOf(params.memory)}.`
    case 'ended-early':
      return `The server stopped before it was ready, ${endOf(params)}${memoryOf(params.memory)}.`
    case 'restarts':
      return `Crash ${params.attempt} within ${params.minutes} minutes: restarting in ${params.seconds} s.`
    case 'stays-down':
      return `The server crashed ${params.crashes} times within ${params.minutes} minutes and stays stopped until someone starts it.`
    case 'machine-restarted':
      return 'The machine was restarted. The server starts again when its turn comes.'
    case 'machine-restarted-stays':
      return 'The machine was restarted. The server stays stopped, because its automatic start is off.'
    case 'no-auto-start':
      return 'It stays stopped, because its automatic start is off.'
    case 'slow-start':
      return `The server has been starting for ${params.minutes} minutes and hasn't reported that it is ready.`
    case 'action-failed':
      return `${ACTIONS[params.action] ?? 'The action'} failed: ${params.reason}${params.detail}`
    case 'network-lost':
      return "This server's network was removed on its machine. It has one again; players may have to reconnect."
    case 'done-text':
      return `The done text ${params.text} isn't a valid expression, so it is matched literally: ${params.problem}`
    case 'not-started':
      return `The server didn't start. ${params.detail}`
    case 'program-not-started':
      return `The program didn't start: ${params.reason}`
    case 'install-step-failed':
      return `The installation failed. ${stepFailed(params)}`
    case 'install-failed':
      return `The installation failed. ${params.detail}`
    case 'time-limit':
      return `Stopped after ${params.seconds} s, because the time limit was reached.`
    case 'storage-exceeded':
      return `The files take ${number.format(Number(params.usedMiB))} MiB of ${number.format(Number(params.limitMiB))} MiB, so the server is being stopped. Delete files or empty the bin before you start it again.`
    case 'storage-filling':
      return `The files take ${number.format(Number(params.usedMiB))} MiB of ${number.format(Number(params.limitMiB))} MiB. At this rate, the storage is full in less than a day. Delete files or choose a larger size.`
    case 'storage-not-started':
      return `The server wasn't started: its files take ${number.format(Number(params.usedMiB))} MiB of ${number.format(Number(params.limitMiB))} MiB. Delete files or empty the bin, then start it again.`
    case 'flood':
      return 'The output is faster than 2,000 lines in 100 ms, so it is slowed down. No line is lost.'
    case 'flood-counted':
      return `The output was slowed down by ${number.format(Number(params.seconds))} s over ${linesOf(params.lines)}. No line was lost.`
    case 'unwritten':
      return `${linesOf(params.lines)} couldn't be written to disk.`
    case 'lines-lost':
      return `${number.format(Number(params.lines))} console ${params.lines === 1 ? 'line was' : 'lines were'} lost: the server printed faster than they could be stored.`
    case 'some-lines-lost':
      return 'Some console lines were lost: the server printed faster than they could be stored.'
  }
}

/** Bounded, and without line ends and control characters: it may contain a program's own report. */
const plainParam = (value: string | number): string | number =>
  typeof value === 'number' ? value : oneLine(value).slice(0, MAX_PARAM)

/** The note as stored in the console. */
export const noteLine = (known: KnownConsoleNote): NoteLine => {
  const entries = Object.entries<string | number>(known.params).map(
    ([name, value]) => [name, plainParam(value)] as const,
  )
  const note = { code: known.code, params: Object.fromEntries(entries) }
  return { text: sentenceOf(note as unknown as KnownConsoleNote), note }
}
