import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

import { decodeLine } from '../../agents/console/console-line.ts'
import { PanelServerMessage } from '../../src/contracts/panel/messages.ts'

export interface RecordedLine {
  seq: number
  text: string
}

export interface RecordedConsole {
  readonly lines: RecordedLine[]
  /** Accepted sockets. */
  sessions: number
  dropped: number
  /** Commands that the node has accepted. */
  taken: number
  /** Undefined before the installation has ended. */
  installed: boolean | undefined
  /** How many lines had arrived when the installation ended. */
  linesUntilInstalled: number | undefined
}

/**
 * Records every console line that reaches the page's sockets from now on, in order of arrival, and counts the accepted
 * sockets.
 */
export function recordConsole(page: Page): RecordedConsole {
  const lines: RecordedLine[] = []
  const record: RecordedConsole = {
    lines,
    sessions: 0,
    dropped: 0,
    taken: 0,
    installed: undefined,
    linesUntilInstalled: undefined,
  }
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      const message = PanelServerMessage.safeParse(asJson(String(payload)))
      if (!message.success) return
      const { data } = message
      if (data.event === 'auth success') record.sessions += 1
      if (data.event === 'command accepted') record.taken += 1
      if (data.event === 'dropped') record.dropped += data.args[0]
      if (data.event === 'install completed') {
        record.installed = data.args[0]
        record.linesUntilInstalled ??= lines.length
      }
      if (data.event === 'console output') lines.push(...data.args[0].map(([seq, , , text]) => ({ seq, text })))
    })
  })
  return record
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A file that is kept no longer is gone between the list and the reading. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** All lines in the console files of a server, in the order of the files. */
export function consoleFile(dataDir: string, identifier: string): RecordedLine[] {
  const folder = join(dataDir, 'agent/servers', identifier, 'console')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .sort()
    .flatMap((name) => textOf(join(folder, name)).split('\n'))
    .flatMap((row) => {
      const line = decodeLine(row)
      return line ? [{ seq: line.seq, text: line.text }] : []
    })
}

/** The file's lines in the range of numbers that the browser received. */
export function sameStretch(received: readonly RecordedLine[], file: readonly RecordedLine[]): readonly RecordedLine[] {
  const first = received[0]?.seq ?? 0
  const last = received.at(-1)?.seq ?? 0
  return file.filter(({ seq }) => seq >= first && seq <= last)
}
