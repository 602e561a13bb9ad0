import fs from 'node:fs'

/** Names this boot of the machine; null where the kernel does not say. */
export const readBootId = (): string | null => {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
