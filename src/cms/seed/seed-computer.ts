import type { Payload } from 'payload'

/** This machine as the demo offers it. Its address may change from start to start, its name does not. */
export type ComputerSeed = {
  name: string
  ip: string
  url: string
  availableMemoryMiB: number
  storageMiB: number
  cores: number
  startPort: number
  portCount: number
}

/** Creates the computer, or brings its address up to date and leaves what staff may have changed. Returns its id. */
export const seedComputer = async (payload: Payload, computer: ComputerSeed): Promise<string> => {
  const base = {
    collection: 'computers',
    overrideAccess: true,
    depth: 0,
    context: { disableRevalidate: true },
  } as const
  const found = await payload.find({ ...base, where: { name: { equals: computer.name } }, limit: 1, pagination: false })
  const [existing] = found.docs
  if (!existing) return (await payload.create({ ...base, data: { ...computer, orderable: true } })).id
  if (existing.url !== computer.url || existing.ip !== computer.ip) {
    await payload.update({ ...base, id: existing.id, data: { url: computer.url, ip: computer.ip } })
  }
  return existing.id
}
