import type { InvoicingRow } from '#contracts/cms-api/rows.ts'
import { SealBroken } from '#platform/seal.ts'
import { openSecret, type SecretKey } from '#platform/sealed-secret.ts'
import { HandOverFailure, type InvoiceProvider } from '../invoice-provider.ts'
import { szamlazzProvider } from './szamlazz/szamlazz-provider.ts'

/** There is only one such key, so it is not bound to a row. */
const KEY_PLACE = 'invoicing.szamlazz_agent_key:'

/** The external provider of our documents, if staff have chosen one. */
export const invoiceProvider = (options: {
  url: string
  invoicing: () => Promise<InvoicingRow>
  keys: readonly SecretKey[]
}): InvoiceProvider =>
  szamlazzProvider({
    url: options.url,
    agentKey: async () => {
      const { szamlazz_agent_key_sealed: sealed } = await options.invoicing()
      return sealed === null ? undefined : openKey(sealed, options.keys)
    },
  })

async function openKey(sealed: string, keys: readonly SecretKey[]): Promise<string> {
  try {
    return openSecret(sealed, { keys, place: KEY_PLACE }).toString('utf8')
  } catch (error) {
    if (error instanceof SealBroken) throw new HandOverFailure('configuration', 'KEY_SEALED', { cause: error })
    throw error
  }
}
