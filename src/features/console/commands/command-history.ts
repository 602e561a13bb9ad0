export const historyLimit = 50

/** Newest last. `at` is the shown position; `commands.length` is the line being written. */
export type CommandHistory = { readonly commands: readonly string[]; readonly at: number; readonly draft: string }

export const openHistory = (commands: readonly string[]): CommandHistory => ({
  commands: commands.slice(-historyLimit),
  at: Math.min(commands.length, historyLimit),
  draft: '',
})

/** After a command was sent: it is added as the newest, unless it repeats the previous one. */
export const remember = (history: CommandHistory, command: string): CommandHistory =>
  openHistory(history.commands.at(-1) === command ? history.commands : [...history.commands, command])

/**
 * One step back (-1) or forward (1); at either end nothing happens. The line being written is kept as the last
 * position.
 */
export const step = (
  history: CommandHistory,
  by: -1 | 1,
  written: string,
): { history: CommandHistory; shown: string } | null => {
  const at = history.at + by
  if (at < 0 || at > history.commands.length) return null
  const draft = history.at === history.commands.length ? written : history.draft
  return {
    history: { ...history, at, draft },
    shown: at === history.commands.length ? draft : (history.commands[at] ?? ''),
  }
}

/** A pasted text as commands: one per non-empty line. */
export const splitCommands = (text: string): readonly string[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
