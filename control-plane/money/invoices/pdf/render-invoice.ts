import { type DocumentProps, renderToBuffer } from '@react-pdf/renderer'
import { createElement, type ReactElement } from 'react'
import type { InvoiceDocument } from '../invoice-document.ts'
import { freshFonts } from './fonts.ts'
import { InvoicePaper } from './invoice-page.tsx'

/** The renderer has one global font set, so documents are rendered one after the other. */
let line: Promise<unknown> = Promise.resolve()

/** Renders a document as PDF, in its own language. The same document gives the same bytes. */
export function renderInvoice(invoice: InvoiceDocument): Promise<Uint8Array> {
  const drawn = line.then(() => draw(invoice))
  line = drawn.catch(() => undefined)
  return drawn
}

async function draw(invoice: InvoiceDocument): Promise<Uint8Array> {
  freshFonts()
  return new Uint8Array(await renderToBuffer(createElement(InvoicePaper, { invoice }) as ReactElement<DocumentProps>))
}
