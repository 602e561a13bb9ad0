const MIB = 1024 * 1024
/** Inodes, journal and the copies of the group descriptors take up to this part of an image. */
const OVERHEAD_PART = 25
/** Beside it what a small one takes, and the 16 MiB that ext4 keeps for itself. */
const OVERHEAD_MIB = 24

/** The size of an image in which a server has at least its whole storage for files. */
export const imageBytesOf = (limitMiB: number): number => {
  const storageMiB = Math.max(1, limitMiB)
  return (storageMiB + Math.ceil(storageMiB / OVERHEAD_PART) + OVERHEAD_MIB) * MIB
}

/**
 * Whether mounts in this folder appear in other mount namespaces, such as the one in which an engine makes containers, by the
 * lines of /proc/self/mountinfo.
 */
export const isShared = (mountinfo: string, folder: string): boolean => {
  const above = mountinfo.split('\n').flatMap((line) => {
    const [, , , , point = '', , ...optional] = line.split(' ')
    const isAbove = point === '/' || folder === point || folder.startsWith(`${point}/`)
    return point !== '' && isAbove ? [{ point, optional: optional.slice(0, optional.indexOf('-')) }] : []
  })
  // Several mounts may be at one place; the last one is visible.
  const longest = Math.max(0, ...above.map(({ point }) => point.length))
  const nearest = above.findLast(({ point }) => point.length === longest)
  return nearest?.optional.some((field) => field.startsWith('shared:')) ?? false
}
