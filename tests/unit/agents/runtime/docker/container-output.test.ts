import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { HistoryReader } from '../../../../../agents/console/history-reader.ts'
import { systemClock } from '#platform/clock.ts'
import { systemTimers } from '../../../../../agents/platform/timers.ts'
import { ConsoleWriters } from '../../../../../agents/runtime/docker/console-writers.ts'
import { FileOutput } from '../../../../../agents/runtime/docker/container-output.ts'
import { waitFor } from '../../../../support/wait-for.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bakter-output-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

let entries = 0
const entry = (text: string): string => {
  entries += 1
  return `${JSON.stringify({ log: `${text}\n`, stream: 'stdout', time: `2026-11-21T04:05:06.${100 + entries}Z` })}\n`
}

it('hears of lines in the file that the engine begins after a rotation, and does not wait for the regular look', async () => {
  const logPath = path.join(folder, 'x-json.log')
  const consoleFolder = path.join(folder, 'console')
  mkdirSync(consoleFolder)
  writeFileSync(logPath, entry('first'))
  const writers = new ConsoleWriters()
  const output = new FileOutput(
    { consoleFolder, afterSeq: 0, logPath, isInstaller: false },
    {
      clock: systemClock,
      // Only notices: nothing looks by itself.
      timers: { ...systemTimers, every: () => () => {} },
      writers,
      changed: () => {},
      failed: (error) => {
        throw error
      },
    },
  )
  const says = (text: string) =>
    waitFor(`the line ${text}`, () => new HistoryReader(consoleFolder).after(0, 100).lines.at(-1)?.text === text)
  try {
    await says('first')
    for (const round of ['second', 'third']) {
      renameSync(logPath, `${logPath}.1`)
      writeFileSync(logPath, '')
      appendFileSync(logPath, entry(`${round} file`))
      await says(`${round} file`)
      appendFileSync(logPath, entry(`${round} file, later`))
      await says(`${round} file, later`)
    }
    const texts = new HistoryReader(consoleFolder).after(0, 100).lines.map((line) => line.text)
    expect(texts).toEqual(['first', 'second file', 'second file, later', 'third file', 'third file, later'])
  } finally {
    output.close()
    writers.close(consoleFolder)
  }
})
