export const DEBIAN_PACKAGES: Readonly<Record<string, string>>
export function missingTools(programs: readonly string[]): string[]
export function installTools(programs: readonly string[]): string | undefined
