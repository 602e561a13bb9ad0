import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Preview } from '@react-email/preview'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { Fragment, type CSSProperties } from 'react'
import { drawMessage } from '#message-text/draw-message.tsx'
import { LETTER_LOOK } from './letter-look.ts'
import type { MailPageProps } from './mail-words.ts'

// Mail programs support neither our style sheets nor our fonts: colours of the design language on a white plate, set
// inline.
const INK = '#17171e'
const QUIET = '#5a5a66'
const ENAMEL = '#2f57d6'
const FONT = "'Atkinson Hyperlegible Next', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const style = {
  body: { backgroundColor: '#f2f0ea', color: INK, fontFamily: FONT, margin: 0, padding: '24px 0' },
  plate: { backgroundColor: '#ffffff', border: '1px solid #dad8d2', maxWidth: '560px', padding: '0 0 8px' },
  sign: {
    backgroundColor: ENAMEL,
    color: '#ffffff',
    fontSize: '17px',
    fontWeight: 700,
    margin: 0,
    padding: '16px 32px',
  },
  inside: { padding: '8px 32px' },
  title: { fontSize: '26px', lineHeight: '30px', margin: '24px 0 8px', wordBreak: 'break-word' },
  text: { fontSize: '16px', lineHeight: '24px', margin: '12px 0', wordBreak: 'break-word' },
  code: {
    backgroundColor: '#f2f0ea',
    fontFamily: "'Atkinson Hyperlegible Mono', Consolas, Menlo, monospace",
    fontSize: '36px',
    fontWeight: 700,
    letterSpacing: '8px',
    lineHeight: '40px',
    margin: '24px 0',
    padding: '16px 0',
    textAlign: 'center',
  },
  log: {
    backgroundColor: '#f2f0ea',
    fontFamily: "'Atkinson Hyperlegible Mono', Consolas, Menlo, monospace",
    fontSize: '13px',
    lineHeight: '20px',
    margin: '12px 0',
    padding: '12px',
    whiteSpace: 'pre-wrap',
    wordBreak: 'break-word',
  },
  letter: {
    borderLeft: '3px solid #dad8d2',
    fontSize: '16px',
    lineHeight: '24px',
    margin: '4px 0 16px',
    padding: '0 0 0 12px',
    wordBreak: 'break-word',
  },
  from: { fontSize: '16px', fontWeight: 700, lineHeight: '24px', margin: '16px 0 0', wordBreak: 'break-word' },
  button: {
    backgroundColor: ENAMEL,
    borderRadius: '4px',
    color: '#ffffff',
    fontSize: '16px',
    fontWeight: 700,
    padding: '14px 24px',
  },
  address: { color: QUIET, fontSize: '13px', lineHeight: '20px', margin: '16px 0', wordBreak: 'break-word' },
  rule: { borderColor: '#dad8d2', margin: '24px 0 0' },
  foot: { color: QUIET, fontSize: '13px', lineHeight: '20px', margin: '16px 0' },
} as const satisfies Record<string, CSSProperties>

const Paragraphs = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <Text key={line} style={style.text}>
      {line}
    </Text>
  ))

const Action = ({ body, frame, facts }: MailPageProps) => {
  if (!body.action) return null
  const address = `${facts.siteUrl}${body.action.path}`
  return (
    <>
      <Button href={address} style={style.button}>
        {body.action.label}
      </Button>
      <Text style={style.address}>
        {frame.orCopy}
        <br />
        {address}
      </Text>
    </>
  )
}

const Log = ({ log }: { log: MailPageProps['body']['log'] }) =>
  log === undefined ? null : (
    <>
      <Text style={style.text}>{log.title}:</Text>
      <Text style={style.log}>{log.lines.join('\n')}</Text>
    </>
  )

const Letters = ({ letters = [] }: { letters: MailPageProps['body']['letters'] }) =>
  letters.map(({ from, text, files }, at) => (
    <Fragment key={at}>
      <Text style={style.from}>{from}:</Text>
      <Section style={style.letter}>{drawMessage(text, LETTER_LOOK)}</Section>
      {files === undefined ? null : <Text style={style.letter}>{files}</Text>}
    </Fragment>
  ))

/** One mail. It loads nothing from outside, so that opening it cannot be tracked. */
export const MailPage = (props: MailPageProps) => {
  const { language, body, frame, facts } = props
  return (
    <Html lang={language}>
      <Head>
        <title>{body.subject}</title>
      </Head>
      <Preview>{body.before[0] ?? body.title}</Preview>
      <Body style={style.body}>
        <Container style={style.plate}>
          {body.cut === undefined ? null : <Text style={style.address}>{body.cut}</Text>}
          <Text style={style.sign}>{facts.hostName}</Text>
          <Section style={style.inside}>
            <Heading as="h1" style={style.title}>
              {body.title}
            </Heading>
            <Paragraphs lines={body.before} />
            {body.code === undefined ? null : <Text style={style.code}>{body.code}</Text>}
            <Letters letters={body.letters} />
            <Action {...props} />
            <Log log={body.log} />
            <Paragraphs lines={body.after} />
            <Hr style={style.rule} />
            <Text style={style.foot}>{body.foot ?? frame.foot}</Text>
          </Section>
        </Container>
      </Body>
    </Html>
  )
}
