import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { callOf, type Endpoint } from '@gantry/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { pagePolicy } from '../headers.ts'
import { accessText, openapiOf } from './openapi.ts'
import { pushOperation } from './push.ts'

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const shape = (title: string, schema: z.ZodType, io: 'input' | 'output'): string => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  const empty = described.type === 'object' && Object.keys(described.properties ?? {}).length === 0
  return empty ? '' : `<h4>${title}</h4><pre>${escaped(JSON.stringify(described, null, 2))}</pre>`
}

const foldOf = (endpoint: Endpoint): string => `<details id="${escaped(callOf(endpoint).replace(' ', ''))}">
<summary><code class="${endpoint.method}">${endpoint.method}</code> <code>${escaped(callOf(endpoint).replace(/^\w+ /, ''))}</code> <span>${escaped(endpoint.summary)}</span></summary>
<p>${escaped(accessText(endpoint.access))}.${endpoint.audit === undefined ? '' : ` Audited as <code>${escaped(endpoint.audit)}</code>.`}</p>
${shape('Path', endpoint.params, 'input')}${shape('Query', endpoint.query, 'input')}${shape('Body', endpoint.body, 'input')}
${endpoint.stream === undefined ? shape('Answer', endpoint.data, 'output') || '<h4>Answer</h4><pre>{}</pre>' : `<h4>Answer</h4><p>${escaped(endpoint.stream)}</p>`}
</details>`

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2rem } summary { cursor: pointer; padding: .3rem 0 } summary span { opacity: .75 }
pre { overflow: auto; max-height: 24rem; padding: .8rem; border: 1px solid #8884; border-radius: 6px }
details { border-bottom: 1px solid #8883 } .GET, .POST, .PUT, .DELETE { font-weight: 600 }
`

/** One page without scripts: a heading per resource, and a collapsed section per call. */
async function pageOf(endpoints: Endpoint[], { product }: Config): Promise<string> {
  const groups = Map.groupBy(endpoints, ({ path }) =>
    path
      .split('/')
      .slice(1, path.startsWith('/api/') ? 3 : 2)
      .join('/'),
  )
  const body: string[] = []
  for (const [group, calls] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    body.push(`<h2>${escaped(group)}</h2>`)
    for (const call of calls) {
      body.push(foldOf(call))
      await nextTurn()
    }
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(product.name)} API</title><style nonce="__NONCE__">${style}</style></head><body>
<h1>${escaped(product.name)} API</h1>
<p>Every answer is the envelope <code>{status, data, code, message, errorMsg}</code>. The same as a file: <a href="/api/openapi.json">openapi.json</a>.</p>
${body.join('\n')}</body></html>`
}

/**
 * Serves the reference and its page. Both are built once, at the first request: they cost more than the rest of a
 * start. `visit` counts a call against its address.
 */
export function serveReference(
  app: FastifyInstance,
  endpoints: Endpoint[],
  config: Config,
  visit: (ip: string) => void,
): void {
  let description: Promise<string> | undefined
  let page: Promise<string> | undefined
  app.get('/api/openapi.json', async (request, reply) => {
    visit(request.ip)
    description ??= openapiOf(endpoints, config.product).then(({ paths, ...whole }) =>
      JSON.stringify({ ...whole, paths: { ...(paths as object), ...pushOperation() } }),
    )
    return reply.type('application/json; charset=utf-8').send(await description)
  })
  app.get('/api/docs', async (request, reply) => {
    visit(request.ip)
    page ??= pageOf(endpoints, config)
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy(nonce) })
      .send((await page).replace('__NONCE__', nonce))
  })
}
