import config from '@payload-config'
import { getPayload, type Payload } from 'payload'

/** The one Payload instance of this process; content queries and the admin share its pool. */
export const cms = (): Promise<Payload> => getPayload({ config })
