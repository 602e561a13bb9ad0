import { programOf, supervisorOf, type ProgramName } from './demo-processes.ts'

/**
 * Kills a program while the supervisor is halted, so that nobody restarts it, and resumes the supervisor when the block
 * has ended, even if it failed.
 */
export async function without(dataDir: string, program: ProgramName, block: () => Promise<void>): Promise<void> {
  const supervisor = supervisorOf(dataDir)
  process.kill(supervisor, 'SIGSTOP')
  try {
    process.kill(programOf(dataDir, program), 'SIGKILL')
    await block()
  } finally {
    process.kill(supervisor, 'SIGCONT')
  }
}
