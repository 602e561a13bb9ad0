import type { TaskExit } from '../driver/task-handle.ts'

/** Exit codes above 128 are the shell's and the init program's encoding of a signal. */
const SIGNALS: Readonly<Record<number, string>> = {
  129: 'SIGHUP',
  130: 'SIGINT',
  131: 'SIGQUIT',
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
  141: 'SIGPIPE',
  143: 'SIGTERM',
}

/** Converts the engine's report of an ended container. `atMs` is used without a time in the report. */
export const exitOf = (
  state: { readonly ExitCode: number; readonly OOMKilled: boolean; readonly FinishedAt: string },
  atMs: number,
): TaskExit => {
  const signal = SIGNALS[state.ExitCode] ?? null
  const finishedAtMs = Date.parse(state.FinishedAt)
  return {
    code: signal === null ? state.ExitCode : null,
    signal,
    ...(state.OOMKilled ? { oomKilled: true } : {}),
    atMs: Number.isFinite(finishedAtMs) && finishedAtMs > 0 ? finishedAtMs : atMs,
  }
}
