import type { Payload } from 'payload'

/** This machine as offered by the demo. Its address may change between starts, its name does not. */
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

/** The sample company's place, which the demo's computer has too. */
const place = { city: 'Budapest', country: 'HU' }

/** Creates the computer, or updates its address and leaves staff's changes. Returns its id. */
export const seedComputer = async (payload: Payload, computer: ComputerSeed): Promise<string> => {
  const base = {
    collection: 'computers',
    overrideAccess: true,
    depth: 0,
    context: { disableRevalidate: true },
  } as const
  const found = await payload.find({ ...base, where: { name: { equals: computer.name } }, limit: 1, pagination: false })
  const [existing] = found.docs
  if (!existing) return (await payload.create({ ...base, data: { ...computer, ...place, orderable: true } })).id
  if (existing.url !== computer.url || existing.ip !== computer.ip) {
    await payload.update({ ...base, id: existing.id, data: { url: computer.url, ip: computer.ip } })
  }
  return existing.id
}
