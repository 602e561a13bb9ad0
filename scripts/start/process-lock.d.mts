export function holderOf(file: string): number | undefined
export function tryLock(file: string): number | undefined
export function handLock(file: string, pid: number): void
export function releaseLock(file: string): void
export function waitForLock(file: string, sayWhy: (holder: number) => void): Promise<void>
