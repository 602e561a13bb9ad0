'use client'

import type { Service } from '#contracts/http/service.ts'
import { words, type Words } from '../../fields/languages.ts'
import { useRead } from './use-read.ts'

/** Whether staff can grant it on this installation: a test server has a size, and never a virtual machine of its own. */
const isGrantable = ({
  category,
  orderable,
  unavailableReason,
  packages,
}: Pick<Service, 'category' | 'orderable' | 'unavailableReason' | 'packages'>): boolean =>
  category !== 'vps' && orderable && unavailableReason === null && packages.length > 0

/** The services that staff grant as test servers, with their packages; undefined until they are read. `isFailed` if they could not be read. */
export const useTestServices = () => {
  const { body, isFailed, again } = useRead('GET /api/services')
  const services = body
    ?.map((service) => ({ ...service, packages: service.packages.filter(({ orderable }) => orderable) }))
    .filter(isGrantable)
  return { services, isFailed, again }
}

export type TestService = NonNullable<ReturnType<typeof useTestServices>['services']>[number]

/** Services or packages as the choices of a field. */
export const namedOptions = (rows: readonly { id: string; name: string }[]): Readonly<Record<string, Words>> =>
  Object.fromEntries(rows.map(({ id, name }) => [id, words(name, name, name)]))
