// This project's own lint rules. Each message says in one sentence what to do instead.

const AMBIENT_MEMBERS = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'process.hrtime',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'crypto.randomBytes',
])
const AMBIENT_IMPORTS = new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'])

/** Core code is a function of its arguments: no clock, no randomness. */
const noAmbient = {
  meta: { type: 'problem', messages: { ambient: '{{what}} is ambient: take the clock and the ids as arguments.' } },
  create(context) {
    const report = (node, what) => context.report({ node, messageId: 'ambient', data: { what } })
    return {
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report(node, 'new Date()')
      },
      CallExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date') report(node, 'Date()')
      },
      MemberExpression(node) {
        const name = `${node.object.name}.${node.property.name}`
        if (!node.computed && AMBIENT_MEMBERS.has(name)) report(node, name)
      },
      ImportDeclaration(node) {
        if (!['node:crypto', 'crypto', 'uuid'].includes(node.source.value)) return
        for (const specifier of node.specifiers) {
          const name = specifier.imported?.name ?? specifier.local.name
          if (AMBIENT_IMPORTS.has(name) || node.source.value === 'uuid')
            report(specifier, `${name} of ${node.source.value}`)
        }
      },
    }
  },
}

/** The object form of zod cannot be tree-shaken. */
const zodNamespace = {
  meta: {
    type: 'problem',
    messages: { named: "Write import * as z from '{{source}}': the named form pulls all of zod into the browser." },
  },
  create(context) {
    return {
      ImportDeclaration(node) {
        if (!/^zod(\/|$)/.test(node.source.value)) return
        const named = node.specifiers.some((specifier) => specifier.type !== 'ImportNamespaceSpecifier')
        if (named && node.importKind !== 'type')
          context.report({ node, messageId: 'named', data: { source: node.source.value } })
      },
    }
  },
}

const PALETTE =
  'slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet|purple|fuchsia|pink|rose'
const UTILITIES =
  'bg|text|border|ring|fill|stroke|from|to|via|outline|divide|placeholder|accent|caret|decoration|shadow'
const RAW_COLOUR = new RegExp(
  String.raw`(?:^|[\s:!"'])(?:${UTILITIES})(?:-[xytrbl])?-(?:(?:${PALETTE})-\d{2,3}|black|white|\[(?:#|rgb|hsl|oklch)[^\]]*\])`,
)

/** Colours are tokens with a verified contrast; a raw one escapes themes and the contrast test. */
const noRawColour = {
  meta: { type: 'problem', messages: { raw: 'Use a colour token of the design instead of "{{text}}".' } },
  create(context) {
    const check = (node, value) => {
      if (typeof value !== 'string') return
      const found = RAW_COLOUR.exec(value)
      if (found) context.report({ node, messageId: 'raw', data: { text: found[0].trim() } })
    }
    return {
      Literal: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.raw),
    }
  },
}

/** Settings are parsed once, at the start, and passed on. */
const noProcessEnv = {
  meta: { type: 'problem', messages: { env: "Read the environment in the program's env.ts and hand the value down." } },
  create(context) {
    return {
      MemberExpression(node) {
        if (node.object.name !== 'process' || (node.property.name ?? node.property.value) !== 'env') return
        const parent = node.parent
        const key = parent?.type === 'MemberExpression' ? (parent.property.name ?? parent.property.value) : undefined
        // Bundlers replace this one by a constant.
        if (key !== 'NODE_ENV') context.report({ node, messageId: 'env' })
      },
    }
  },
}

const isFunction = (node) =>
  node?.type === 'FunctionDeclaration' ||
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'FunctionExpression'

/** `export const name = (a) => b` on one line explains itself. */
const fitsOneLine = (node) => node.loc.start.line === node.loc.end.line

/**
 * Exported functions are documented where they are defined: shapes and units of inputs and outputs, errors, source of
 * the rule.
 */
const exportedDocs = {
  meta: {
    type: 'suggestion',
    messages: { missing: '{{name}} is exported: say in a docstring what goes in, what comes out and what can fail.' },
  },
  create(context) {
    const documented = (node) => {
      const before = context.sourceCode.getCommentsBefore(node)
      const last = before.at(-1)
      return last?.type === 'Block' && last.value.startsWith('*')
    }
    return {
      ExportNamedDeclaration(node) {
        const { declaration } = node
        if (declaration?.type === 'FunctionDeclaration') {
          if (!documented(node)) context.report({ node, messageId: 'missing', data: { name: declaration.id.name } })
        } else if (declaration?.type === 'VariableDeclaration') {
          const made = declaration.declarations.find((each) => isFunction(each.init) && !fitsOneLine(node))
          if (made && !documented(node)) context.report({ node, messageId: 'missing', data: { name: made.id.name } })
        }
      },
    }
  },
}

/** One client refreshes the session, reads refusals and checks answers by the contracts. */
const oneClient = {
  meta: {
    type: 'problem',
    messages: { fetch: 'Call the API through src/lib/browser-client: it renews the session and checks the answer.' },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'fetch' })
    return {
      CallExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'fetch') report(node)
      },
      MemberExpression(node) {
        const isGlobal = ['window', 'globalThis', 'self'].includes(node.object.name)
        if (isGlobal && (node.property.name ?? node.property.value) === 'fetch') report(node)
      },
    }
  },
}

/** `...{ a, b }` and `...['a', 'b']` only save lines, and hide a duplicate key from the compiler. */
const noLiteralSpread = {
  meta: {
    type: 'suggestion',
    messages: { spread: 'Write the {{parts}} where they belong instead of spreading a literal.' },
  },
  create(context) {
    const report = (node, parts) => context.report({ node, messageId: 'spread', data: { parts } })
    return {
      SpreadElement(node) {
        if (node.argument.type === 'ObjectExpression') report(node, 'properties')
        if (node.argument.type === 'ArrayExpression') report(node, 'elements')
      },
    }
  },
}

const SENTENCE_ENDS = /(?<=[.!?:])\s+/
const CLAUSE_FIRST = /^(What|Whose|Whoever|Whatever|Who|That)\b/
const plainText = (value) =>
  value
    .replaceAll(/^\s*\*+ ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Line comments below one another are one text; a block is a text of its own. */
const textsOf = (comments, source) => {
  const texts = []
  for (const comment of comments) {
    const last = texts.at(-1)
    const isNext =
      comment.type === 'Line' && last?.type === 'Line' && source.slice(last.end, comment.range[0]).trim() === ''
    if (isNext) Object.assign(last, { value: `${last.value}\n${comment.value}`, end: comment.range[1] })
    else texts.push({ node: comment, type: comment.type, value: comment.value, end: comment.range[1] })
  }
  return texts
}

/** A sentence names its subject first; a clause in that place has to be read twice. */
const subjectFirst = {
  meta: {
    type: 'suggestion',
    messages: { clause: 'Name the subject: "{{word}} …" is a clause in its place. Write subject, verb, object.' },
  },
  create(context) {
    return {
      Program() {
        const { sourceCode } = context
        for (const { node, value } of textsOf(sourceCode.getAllComments(), sourceCode.text)) {
          for (const sentence of plainText(value).split(SENTENCE_ENDS)) {
            const word = CLAUSE_FIRST.exec(sentence)?.[1]
            if (word && !sentence.endsWith('?')) context.report({ node, messageId: 'clause', data: { word } })
          }
        }
      },
    }
  },
}

export default {
  meta: { name: 'house' },
  rules: {
    'no-ambient': noAmbient,
    'zod-namespace': zodNamespace,
    'no-raw-colour': noRawColour,
    'no-process-env': noProcessEnv,
    'exported-docs': exportedDocs,
    'one-client': oneClient,
    'no-literal-spread': noLiteralSpread,
    'subject-first': subjectFirst,
  },
}
