import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDemo, type Demo } from '../support/demo.ts'

/** Runs `work` against a demo of its own with an empty data folder. The caller's addresses are those that it claims. */
export async function withDemo<Result>(work: (demo: Demo) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bakter-bench-'))
  const demo = await startDemo({ dataDir, env: { AGENT_RUNTIME: 'process', TRUSTED_PROXIES: '127.0.0.1' } })
  try {
    return await work(demo)
  } finally {
    await demo.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
