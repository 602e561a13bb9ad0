import fs from 'node:fs'

/** The id of this boot of the machine; null if the kernel does not provide it. */
export const readBootId = (): string | null => {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
