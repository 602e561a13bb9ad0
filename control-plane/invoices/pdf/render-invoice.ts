import { type DocumentProps, renderToBuffer } from '@react-pdf/renderer'
import { createElement, type ReactElement } from 'react'
import type { InvoiceDocument } from '../invoice-document.ts'
import { registerFonts } from './fonts.ts'
import { InvoicePaper } from './invoice-page.tsx'

/** Draws a document as PDF, in its own language. The same document gives the same bytes. */
export async function renderInvoice(invoice: InvoiceDocument): Promise<Uint8Array> {
  registerFonts()
  return new Uint8Array(await renderToBuffer(createElement(InvoicePaper, { invoice }) as ReactElement<DocumentProps>))
}
