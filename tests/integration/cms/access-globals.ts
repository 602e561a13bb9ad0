import { administrators, administratorsInvalid, everyone, nobody, staffOnly } from './access-table.ts'
import type { Answers, Statuses } from './access-table.ts'

/** The rows of the globals in the table of access; what they mean is said there. */
const globalClosed = { 'get /versions': nobody, 'get /versions/:id': nobody, 'post /versions/:id': nobody }

export const globalEndpoints: Record<string, Record<string, Statuses>> = {
  landing: { ...globalClosed, 'get /': everyone, 'post /': administratorsInvalid, 'post /access': staffOnly },
  navigation: { ...globalClosed, 'get /': everyone, 'post /': administrators, 'post /access': staffOnly },
  documents: { ...globalClosed, 'get /': everyone, 'post /': administratorsInvalid, 'post /access': staffOnly },
  premium: { ...globalClosed, 'get /': administrators, 'post /': administrators, 'post /access': staffOnly },
  'prize-wheel': { ...globalClosed, 'get /': administrators, 'post /': administrators, 'post /access': staffOnly },
  settings: { ...globalClosed, 'get /': administrators, 'post /': administrators, 'post /access': staffOnly },
  invoicing: { ...globalClosed, 'get /': administrators, 'post /': administrators, 'post /access': staffOnly },
}

export const globalAccess: Record<string, Record<string, Answers>> = {
  landing: { read: 'yes yes yes yes', update: 'no no no yes', readVersions: 'no no no no' },
  navigation: { read: 'yes yes yes yes', update: 'no no no yes', readVersions: 'no no no no' },
  documents: { read: 'yes yes yes yes', update: 'no no no yes', readVersions: 'no no no no' },
  premium: { read: 'no no no yes', update: 'no no no yes', readVersions: 'no no no no' },
  'prize-wheel': { read: 'no no no yes', update: 'no no no yes', readVersions: 'no no no no' },
  settings: { read: 'no no no yes', update: 'no no no yes', readVersions: 'no no no no' },
  invoicing: { read: 'no no no yes', update: 'no no no yes', readVersions: 'no no no no' },
}
