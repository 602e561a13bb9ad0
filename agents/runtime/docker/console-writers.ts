import { HistoryWriter, type NewLine } from '../../console/history.ts'

/** Writers of servers' histories: one per folder, reopened when another process has written in between. */
export class ConsoleWriters {
  readonly #writers = new Map<string, HistoryWriter>()

  /** The folder's writer. `isNew` means that the caller's positions may be older than the history. */
  of(folder: string): { readonly writer: HistoryWriter; readonly isNew: boolean } {
    const known = this.#writers.get(folder)
    if (known?.isCurrent() === true) return { writer: known, isNew: false }
    this.close(folder)
    const writer = new HistoryWriter(folder)
    this.#writers.set(folder, writer)
    return { writer, isNew: true }
  }

  note(folder: string, lines: readonly NewLine[]): void {
    const wasOpen = this.#writers.has(folder)
    this.of(folder).writer.append(lines)
    if (!wasOpen) this.close(folder)
  }

  close(folder: string): void {
    this.#writers.get(folder)?.close()
    this.#writers.delete(folder)
  }
}
