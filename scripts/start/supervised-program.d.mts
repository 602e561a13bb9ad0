export interface SupervisedProgramOptions {
  name: string
  command: string[]
  env: Record<string, string | undefined>
  healthUrl: string
  logFile: string
  say: (line: string) => void
  isDevelopment: boolean
}
export class SupervisedProgram {
  constructor(options: SupervisedProgramOptions)
  readonly name: string
  readonly pid: number | undefined
  start(): void
  isReady(): Promise<boolean>
  waitUntilReady(timeoutMs: number): Promise<void>
  restartNow(): Promise<void>
  stop(timeoutMs: number): Promise<void>
  kill(): void
}
