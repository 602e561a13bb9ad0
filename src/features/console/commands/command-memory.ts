import { openHistory, remember } from './command-history.ts'
import type { CommandHistory } from './command-history.ts'

const storageKey = (serverId: string) => `bakter.commands.${serverId}`

/**
 * The commands sent to a server in this browser session. A command may contain a password, so they do not outlive the
 * tab.
 */
export const readCommands = (serverId: string): CommandHistory => {
  try {
    const held: unknown = JSON.parse(window.sessionStorage.getItem(storageKey(serverId)) ?? '[]')
    return openHistory(Array.isArray(held) ? held.filter((line) => typeof line === 'string') : [])
  } catch {
    return openHistory([])
  }
}

export const rememberCommand = (serverId: string, command: string): void => {
  try {
    const { commands } = remember(readCommands(serverId), command)
    window.sessionStorage.setItem(storageKey(serverId), JSON.stringify(commands))
  } catch {
    // A browser without storage has no history.
  }
}
