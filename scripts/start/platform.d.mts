export function checkPlatform(machine?: {
  node: string
  platform: string
  arch: string
  glibc: string | undefined
}): string | undefined
export function refuseOtherPlatforms(): void
