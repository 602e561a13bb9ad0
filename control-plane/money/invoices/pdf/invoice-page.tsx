import { Document, Page, StyleSheet, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import { formatMoney } from '#domain/billing/money-text.ts'
import type { InvoiceDocument } from '../invoice-document.ts'
import { dayOf } from '../write-invoice.ts'
import { FONT_FAMILY } from './fonts.ts'
import { INVOICE_WORDS, type InvoiceWords } from './invoice-words.ts'

const INK = '#17171e'
const QUIET = '#5a5a66'
const RULE = '#c9c7c0'
const ENAMEL = '#2f57d6'

const style = StyleSheet.create({
  page: { fontFamily: FONT_FAMILY, fontSize: 10, color: INK, padding: '40 44 56' },
  // On the content and not the page: otherwise the page numbers would not be drawn.
  content: { fontSize: 10, lineHeight: 1.35 },
  head: { flexDirection: 'row', justifyContent: 'space-between', borderBottom: `2 solid ${ENAMEL}`, paddingBottom: 10 },
  title: { fontSize: 20, fontWeight: 700, lineHeight: 1.2 },
  number: { fontSize: 12, lineHeight: 1.3, fontWeight: 700, textAlign: 'right' },
  columns: { flexDirection: 'row', gap: 24, marginTop: 18 },
  column: { flex: 1 },
  label: { fontSize: 8, lineHeight: 1.3, color: QUIET },
  strong: { fontWeight: 700 },
  table: { marginTop: 22 },
  row: { flexDirection: 'row', gap: 8, borderBottom: `0.5 solid ${RULE}`, padding: '5 0' },
  what: { flex: 1 },
  count: { width: 54, textAlign: 'right' },
  amount: { width: 82, textAlign: 'right' },
  total: {
    flexDirection: 'row',
    justifyContent: 'space-between',
    fontSize: 13,
    lineHeight: 1.3,
    fontWeight: 700,
    marginTop: 10,
  },
  notes: { marginTop: 16, gap: 3 },
  foot: {
    position: 'absolute',
    bottom: 26,
    left: 44,
    right: 44,
    flexDirection: 'row',
    justifyContent: 'space-between',
    fontSize: 8,
    color: QUIET,
  },
})

type Part = { readonly invoice: InvoiceDocument; readonly words: InvoiceWords }

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <View style={{ marginBottom: 4 }}>
    <Text style={style.label}>{label}</Text>
    <Text>{children}</Text>
  </View>
)

const Facts = ({ facts }: { facts: readonly (readonly [string, string])[] }) =>
  facts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => (
      <Fact key={label} label={label}>
        {text}
      </Fact>
    ))

const SellerPart = ({ invoice: { seller }, words }: Part) => (
  <View style={style.column}>
    <Text style={style.label}>{words.seller}</Text>
    <Text style={style.strong}>{seller.name}</Text>
    <Text>{`${seller.postalCode} ${seller.city}`}</Text>
    <Text>{`${seller.street}, ${seller.country}`}</Text>
    <View style={{ marginTop: 6 }}>
      <Facts
        facts={[
          [words.taxNumber, seller.taxNumber],
          [words.euTaxNumber, seller.euTaxNumber],
          [words.registryNumber, seller.registryNumber],
          [words.bankAccount, seller.bankAccount],
        ]}
      />
      {seller.email === '' ? null : <Text>{seller.email}</Text>}
    </View>
  </View>
)

const CustomerPart = ({ invoice: { customer, vatNumber }, words }: Part) => {
  const name = [customer.company, customer.name].filter(Boolean)
  if (name.length === 0 && customer.city === '') return <View style={style.column} />
  return (
    <View style={style.column}>
      <Text style={style.label}>{words.customer}</Text>
      {name.map((line, index) => (
        <Text key={line} style={index === 0 ? style.strong : {}}>
          {line}
        </Text>
      ))}
      <Text>{`${customer.postalCode} ${customer.city}`.trim()}</Text>
      <Text>{[customer.streetAndHouseNumber, customer.country].filter(Boolean).join(', ')}</Text>
      <View style={{ marginTop: 6 }}>
        <Facts
          facts={[
            [words.taxNumber, customer.taxNumber],
            [words.euTaxNumber, vatNumber ?? ''],
          ]}
        />
      </View>
    </View>
  )
}

const Dates = ({ invoice, words }: Part) => (
  <View style={style.columns}>
    {[
      [words.issued, dayOf(invoice.issuedAt.getTime())],
      [words.performed, invoice.performedOn],
      [words.payment, words.methods[invoice.paymentMethod] ?? invoice.paymentMethod],
    ].map(([label = '', text = '']) => (
      <View key={label} style={style.column}>
        <Fact label={label}>{text}</Fact>
      </View>
    ))}
  </View>
)

const Amounts = ({ invoice, words, amounts }: Part & { amounts: readonly [number, number, number] }) =>
  [words.net, words.vat, words.gross].map((label, index) => (
    <Text key={label} style={style.amount}>
      {formatMoney(amounts[index] ?? 0, invoice.language)}
    </Text>
  ))

const Lines = ({ invoice, words }: Part) => (
  <View style={style.table}>
    <View style={[style.row, { color: QUIET, fontSize: 8 }]}>
      <Text style={style.what}>{words.what}</Text>
      <Text style={style.count}>{words.quantity}</Text>
      <Text style={style.amount}>{words.net}</Text>
      <Text style={style.amount}>{`${words.vat} ${invoice.rateBasisPoints / 100} %`}</Text>
      <Text style={style.amount}>{words.gross}</Text>
    </View>
    {invoice.lines.map((line, index) => (
      <View key={`${index} ${line.description}`} style={style.row} wrap={false}>
        <Text style={style.what}>{line.description}</Text>
        <Text style={style.count}>{line.quantity}</Text>
        <Amounts invoice={invoice} words={words} amounts={[line.netFt, line.vatFt, line.grossFt]} />
      </View>
    ))}
    <View style={[style.row, style.strong]}>
      <Text style={style.what}>{words.total}</Text>
      <Amounts invoice={invoice} words={words} amounts={[invoice.netFt, invoice.vatFt, invoice.grossFt]} />
    </View>
    <View style={style.total}>
      <Text>{words.total}</Text>
      <Text>{formatMoney(invoice.grossFt, invoice.language)}</Text>
    </View>
  </View>
)

const notesOf = ({ invoice, words }: Part): string[] => [
  invoice.kind === 'invoice' ? words.paid : words.refunded,
  ...(invoice.stornoOf ? [words.takesBack(invoice.stornoOf.number)] : []),
  ...(invoice.stornoBy ? [words.takenBackBy(invoice.stornoBy.number)] : []),
  ...(invoice.correctionOf ? [words.corrects(invoice.correctionOf.number)] : []),
  ...(invoice.correctedBy.length === 0
    ? []
    : [words.correctedBy(invoice.correctedBy.map(({ number }) => number).join(', '))]),
  ...(invoice.reason === null ? [] : [`${words.reason}: ${invoice.reason}`]),
  ...(invoice.taxKind === 'eu-reverse-charge' ? [words.reverseCharge] : []),
  ...(invoice.taxKind === 'outside-eu' ? [words.outsideEu] : []),
  words.rule(invoice.taxRule, invoice.taxRuleVersion),
  words.electronic,
]

/** A document on paper: all of its content comes from its row, so that it always renders alike. */
export const InvoicePaper = ({ invoice }: { invoice: InvoiceDocument }) => {
  const words = INVOICE_WORDS[invoice.language]
  const part = { invoice, words }
  const title = words.titles[invoice.kind === 'invoice' ? invoice.form : invoice.kind]
  return (
    <Document
      title={`${title} ${invoice.number}`}
      author={invoice.seller.name}
      language={invoice.language}
      creator="Bakter"
      producer="Bakter"
      creationDate={invoice.issuedAt}
      modificationDate={invoice.issuedAt}
    >
      <Page size="A4" style={style.page}>
        {/* Before the lines, because the renderer would otherwise omit it on further pages. */}
        <View style={style.foot} fixed>
          <Text>{`${invoice.seller.name} · ${invoice.number}`}</Text>
          <Text render={({ pageNumber, totalPages }) => words.page(pageNumber, totalPages)} />
        </View>
        <View style={style.content}>
          <View style={style.head}>
            <Text style={style.title}>{title}</Text>
            <View>
              <Text style={[style.label, { textAlign: 'right' }]}>{words.number}</Text>
              <Text style={style.number}>{invoice.number}</Text>
            </View>
          </View>
          <View style={style.columns}>
            <SellerPart {...part} />
            <CustomerPart {...part} />
          </View>
          <Dates {...part} />
          <Lines {...part} />
          <View style={style.notes}>
            {notesOf(part).map((note) => (
              <Text key={note}>{note}</Text>
            ))}
          </View>
        </View>
      </Page>
    </Document>
  )
}
