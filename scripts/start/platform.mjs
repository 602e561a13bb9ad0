// The supported machines. The first code to run checks them, even on a Node that is too old for everything else: this
// file imports nothing and is written for Node 12.
const OLDEST_NODE = [20, 19]

function here() {
  return {
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    // Absent with another C library (musl).
    glibc: process.report && process.report.getReport().header.glibcVersionRuntime,
  }
}

/** One sentence if this machine cannot run Bakter, else undefined. */
export function checkPlatform(machine) {
  const { node, platform, arch, glibc } = machine || here()
  const [major, minor] = node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    return `Bakter needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${node}.`
  }
  if (platform !== 'linux' || ['x64', 'arm64'].indexOf(arch) < 0 || glibc === undefined) {
    const libc = platform === 'linux' && glibc === undefined ? ' without glibc' : ''
    return `Bakter runs on Linux x64 or arm64 with glibc; this is ${platform} ${arch}${libc}.`
  }
  return undefined
}

/** Exits with that sentence if this machine cannot run Bakter. */
export function refuseOtherPlatforms() {
  const refusal = checkPlatform()
  if (refusal === undefined) return
  console.error(refusal)
  process.exit(1)
}
