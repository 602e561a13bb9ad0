export class Refusal extends Error {
  sentence: string
}
export function sentenceOf(error: unknown): string
export function needsInstall(lockFile?: string, installedFile?: string): boolean
export function installIfNeeded(): Promise<void>
export function checkDisk(folder: string, freeBytes?: number): void
export function checkPorts(ports: Record<string, number>, host: string): Promise<void>
