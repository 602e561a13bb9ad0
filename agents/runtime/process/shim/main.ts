import { systemClock } from '#platform/clock.ts'
import { readSpec } from '../task-files.ts'
import { claimTask, Shim } from './shim.ts'

// Started by the process driver as `node shim.mjs <task folder>`, in a separate session.
const folder = process.argv[2]
const spec = folder === undefined ? undefined : readSpec(folder)
if (folder === undefined || spec === undefined) process.exit(2)
if (!claimTask(folder)) process.exit(3)
process.umask(0o077)
// The shim ends when its program has ended, not when the terminal or the agent's group is stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE'] as const) process.on(signal, () => {})
await new Shim(folder, spec, systemClock).run()
// Lets the last messages leave; a stray grandchild's pipe must not keep the shim alive.
setTimeout(() => process.exit(0), 100)
