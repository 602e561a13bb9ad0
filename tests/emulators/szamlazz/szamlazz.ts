import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { XMLParser } from 'fast-xml-parser'
import * as z from 'zod'

/**
 * The faults of the Agent. `lost` issues and aborts the connection, `slow` issues and never responds, `signing` issues
 * nothing and reports it, `maths` refuses the amounts, `garbage` and `huge` return an unreadable response.
 */
export type SzamlazzFault =
  'nothing' | 'down' | 'lost' | 'slow' | 'signing' | 'maths' | 'busy' | 'garbage' | 'huge' | 'failing' | 'odd code'

export type AgentDocument = {
  readonly number: string
  readonly externalId: string
  readonly orderNumber: string
  readonly xml: string
  readonly stornoOf: string | null
  readonly correctionOf: string | null
}

export type SzamlazzEmulator = {
  readonly url: string
  /** Every issued document, oldest first: a repeated request issues twice, as at the real Agent. */
  readonly issued: AgentDocument[]
  /** Names of the form fields, one for each call. */
  readonly calls: string[]
  /** Sets the fault from now on, for issuing calls only unless `all` is given. */
  set(fault: SzamlazzFault, where?: 'issuing' | 'all'): void
  close(): Promise<void>
}

const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false })
const Settings = z.object({ szamlaagentkulcs: z.string(), szamlaKulsoAzon: z.string(), valaszVerzio: z.literal('2') })
const Line = z.object({ nettoErtek: z.string(), afaErtek: z.string(), bruttoErtek: z.string(), afakulcs: z.string() })
const Create = z.object({
  xmlszamla: z.object({
    beallitasok: Settings,
    fejlec: z.object({
      rendelesSzam: z.string(),
      penznem: z.literal('HUF'),
      fizetve: z.literal('true'),
      helyesbitoszamla: z.literal('true').optional(),
      helyesbitettSzamlaszam: z.string().min(1).optional(),
    }),
    vevo: z.object({ nev: z.string().min(1), irsz: z.string(), telepules: z.string(), cim: z.string() }),
    tetelek: z.object({ tetel: z.union([Line, z.array(Line)]) }),
  }),
})
const Storno = z.object({
  xmlszamlast: z.object({
    beallitasok: Settings,
    fejlec: z.object({ szamlaszam: z.string(), tipus: z.literal('SS') }),
  }),
})
const Query = z.object({ xmlszamlaxml: z.object({ szamlaagentkulcs: z.string(), szamlaKulsoAzon: z.string() }) })

type Answer = { status?: number; headers?: Record<string, string>; body: string }

const refused = (code: string): Answer => ({
  headers: { szlahu_error_code: code, szlahu_error: encodeURIComponent('Hiba történt') },
  body: `<?xml version="1.0" encoding="UTF-8"?><xmlszamlavalasz xmlns="http://www.szamlazz.hu/xmlszamlavalasz"><sikeres>false</sikeres><hibakod>${code}</hibakod></xmlszamlavalasz>`,
})

const accepted = ({ number }: AgentDocument): Answer => ({
  headers: { szlahu_szamlaszam: number },
  body: `<?xml version="1.0" encoding="UTF-8"?><xmlszamlavalasz xmlns="http://www.szamlazz.hu/xmlszamlavalasz"><sikeres>true</sikeres><szamlaszam>${number}</szamlaszam></xmlszamlavalasz>`,
})

type Agent = { readonly key: string; readonly issued: AgentDocument[] }

const issue = (agent: Agent, document: Omit<AgentDocument, 'number'>): Answer => {
  const issued = { ...document, number: `E-BKT-2026-${agent.issued.length + 1}` }
  agent.issued.push(issued)
  return accepted(issued)
}

/** Whether each line's parts add up, which the real Agent checks too. */
const addsUp = (lines: z.infer<typeof Line>[]): boolean =>
  lines.every((line) => Number(line.nettoErtek) + Number(line.afaErtek) === Number(line.bruttoErtek))

/** A correction lowers an existing invoice that was not reversed. */
const isCorrectionOf = (agent: Agent, number: string, lines: z.infer<typeof Line>[]): boolean =>
  agent.issued.some((document) => document.number === number && document.stornoOf === null) &&
  !agent.issued.some(({ stornoOf }) => stornoOf === number) &&
  lines.every(({ bruttoErtek }) => Number(bruttoErtek) < 0)

const create = (agent: Agent, xml: string): Answer => {
  const { beallitasok, fejlec, tetelek } = Create.parse(parser.parse(xml)).xmlszamla
  if (beallitasok.szamlaagentkulcs !== agent.key) return refused('3')
  const lines = [tetelek.tetel].flat()
  if (!addsUp(lines)) return refused('259')
  const { helyesbitettSzamlaszam: correctionOf = null } = fejlec
  if ((fejlec.helyesbitoszamla === 'true') !== (correctionOf !== null)) return refused('57')
  if (correctionOf !== null && !isCorrectionOf(agent, correctionOf, lines)) return refused('338')
  const { szamlaKulsoAzon: externalId } = beallitasok
  return issue(agent, { externalId, orderNumber: fejlec.rendelesSzam, xml, stornoOf: null, correctionOf })
}

const storno = (agent: Agent, xml: string): Answer => {
  const { beallitasok, fejlec } = Storno.parse(parser.parse(xml)).xmlszamlast
  if (beallitasok.szamlaagentkulcs !== agent.key) return refused('3')
  const original = agent.issued.find(({ number }) => number === fejlec.szamlaszam)
  if (!original) return refused('338')
  const before = agent.issued.find(({ stornoOf }) => stornoOf === original.number)
  if (before) return accepted(before)
  const { szamlaKulsoAzon: externalId } = beallitasok
  return issue(agent, {
    externalId,
    orderNumber: original.orderNumber,
    xml,
    stornoOf: original.number,
    correctionOf: null,
  })
}

const query = (agent: Agent, xml: string): Answer => {
  const { szamlaagentkulcs: key, szamlaKulsoAzon: externalId } = Query.parse(parser.parse(xml)).xmlszamlaxml
  if (key !== agent.key) return refused('3')
  const found = agent.issued.findLast((document) => document.externalId === externalId)
  if (!found) return refused('7')
  return {
    body: `<?xml version="1.0" encoding="UTF-8"?><szamla xmlns="http://www.szamlazz.hu/szamla"><alap><szamlaszam>${found.number}</szamlaszam><rendelesszam>${found.orderNumber}</rendelesszam></alap></szamla>`,
  }
}

const ACTIONS: Readonly<Record<string, (agent: Agent, xml: string) => Answer>> = {
  'action-xmlagentxmlfile': create,
  'action-szamla_agent_st': storno,
  'action-szamla_agent_xml': query,
}

async function readForm(request: IncomingMessage): Promise<{ field: string; xml: string }> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const type = request.headers['content-type'] ?? ''
  const form = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData()
  const [field, file] = [...form.entries()][0] ?? ['', '']
  return { field, xml: typeof file === 'string' ? file : await file.text() }
}

/** The faults instead of the response, or after the document was issued. */
function spoil(fault: SzamlazzFault, answer: () => Answer): Answer | 'cut' | 'silence' {
  switch (fault) {
    case 'nothing':
      return answer()
    case 'down':
      return { headers: { szlahu_down: 'true' }, body: '' }
    case 'lost':
      answer()
      return 'cut'
    case 'slow':
      answer()
      return 'silence'
    case 'signing':
      return refused('55')
    case 'maths':
      return refused('264')
    case 'busy':
      return refused('1')
    case 'odd code':
      return refused('9999')
    case 'garbage':
      return { body: '<html>Hamarosan' }
    case 'huge':
      return { body: 'x'.repeat(2_000_000) }
    case 'failing':
      return { status: 503, body: 'Service Unavailable' }
  }
}

function respond(response: ServerResponse, answer: Answer | 'cut' | 'silence'): void {
  if (answer === 'cut') return void response.destroy()
  if (answer === 'silence') return
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/xml; charset=utf-8', ...answer.headers })
  response.end(answer.body)
}

/** The XML Agent of Számlázz.hu as far as we use it: issuing, reversing, finding by external id. */
export async function startSzamlazz(key: string): Promise<SzamlazzEmulator> {
  const agent: Agent = { key, issued: [] }
  const calls: string[] = []
  let fault: SzamlazzFault = 'nothing'
  let where: 'issuing' | 'all' = 'issuing'
  const server = createServer((request, response) => {
    void readForm(request).then(({ field, xml }) => {
      calls.push(field)
      const act = ACTIONS[field]
      if (!act) return respond(response, refused('53'))
      const isSpared = where === 'issuing' && field === 'action-szamla_agent_xml'
      respond(
        response,
        spoil(isSpared ? 'nothing' : fault, () => act(agent, xml)),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/szamla/`,
    issued: agent.issued,
    calls,
    set: (next, place = 'issuing') => {
      fault = next
      where = place
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
