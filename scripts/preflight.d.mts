export class Refusal extends Error {
  sentence: string
}
export function checkPlatform(here?: {
  node: string
  platform: string
  arch: string
  glibc: string | undefined
}): string | undefined
export function needsInstall(lockFile?: string, installedFile?: string): boolean
export function installIfNeeded(): Promise<void>
export function checkDisk(folder: string, freeBytes?: number): void
export function checkPorts(ports: Record<string, number>, host: string): Promise<void>
