import fs from 'node:fs'

const read = (file: string): string | undefined => {
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}

/**
 * Whether the engine's init process (the container's first) has handed over to the program: its child is a copy of itself
 * until then. Undefined where the kernel does not tell, or the process is gone.
 */
export const hasHandedOver = (pid: number): boolean | undefined => {
  const init = read(`/proc/${pid}/cmdline`)?.split('\0')[0]
  const children = read(`/proc/${pid}/task/${pid}/children`)
  if (init === undefined || init === '' || children === undefined) return undefined
  const [child] = children.trim().split(' ')
  if (child === undefined || child === '') return false
  const program = read(`/proc/${child}/cmdline`)?.split('\0')[0]
  return program !== undefined && program !== '' && program !== init
}

/** What the init process prints, and the code it ends with, when there is no such program in the image. */
export const INIT_FAILURE = /^\[FATAL tini.*exec (.+) failed: (.+)$/
export const INIT_FAILURE_CODES: readonly number[] = [126, 127]
