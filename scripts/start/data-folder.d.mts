export function userOf(dataDir: string): number | undefined
export function takeDataFolder(dataDir: string): () => void
export function writePrivately(file: string, value: unknown): void
export function readPrivately(file: string): Record<string, unknown>
export function refuseSecondUser(dataDir: string): void
