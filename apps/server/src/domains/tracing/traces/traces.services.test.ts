import { randomBytes } from 'node:crypto'
import { traces } from '@gantry/contract/tracing/traces'
import { eventually } from '@gantry/waiting/eventually'
import { describe, expect, test } from 'vitest'
import { labService } from '../../../../test/lab.ts'
import { tracedCluster } from '../../../../test/traced-cluster.ts'

const lab = labService('jaeger')
const patient = { ms: 20_000, everyMs: 250 }

interface Sent {
  id: string
  parent?: string
  service: string
  namespace: string
  name: string
  failed?: boolean
}

const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } })

/** Sends spans like a program with OpenTelemetry: a second ago, a millisecond long, each after the previous one. */
async function send(traceId: string, spans: readonly Sent[]): Promise<void> {
  const began = BigInt(Date.now() - 1000) * 1_000_000n
  const resourceSpans = spans.map(({ id, parent, service, namespace, name, failed = false }, at) => ({
    resource: { attributes: [attribute('service.name', service), attribute('k8s.namespace.name', namespace)] },
    scopeSpans: [
      {
        spans: [
          {
            traceId,
            spanId: id,
            ...(parent !== undefined && { parentSpanId: parent }),
            name,
            kind: 2,
            startTimeUnixNano: String(began + BigInt(at) * 1000n),
            endTimeUnixNano: String(began + BigInt(at) * 1000n + 1_000_000n),
            attributes: [attribute('http.route', '/basket')],
            ...(failed && { status: { code: 2 } }),
          },
        ],
      },
    ],
  }))
  const answer = await fetch(lab?.['JAEGER_OTLP_URL'] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans }),
  })
  expect(answer.status).toBe(200)
}

describe.skipIf(lab === undefined)('a real Jaeger (needs the lab’s jaeger)', async () => {
  const { mine, theirs, connect } = await tracedCluster()

  test('returns only the stack’s traces, and hides spans of another team in them', async () => {
    await connect('jaeger', { url: lab?.['JAEGER_URL'] ?? '' })
    const [shared, foreign] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
    const [a, b] = ['a000000000000001', 'b000000000000001']
    await send(shared, [
      { id: a, service: 'web', namespace: mine.namespace, name: 'GET /basket' },
      { id: b, parent: a, service: 'ledger', namespace: theirs.namespace, name: 'secret-operation', failed: true },
    ])
    await send(foreign, [{ id: a, service: 'web', namespace: theirs.namespace, name: 'secret-operation' }])

    const list = (query: object = {}) => mine.team.leader.call(traces.list, { params: mine.params, query })
    await eventually(
      async () => expect((await list()).items.map(({ traceId }) => traceId)).toEqual([shared]),
      undefined,
      patient,
    )
    expect(await list({ tags: 'http.route=/basket' })).toMatchObject({
      unset: false,
      notice: '',
      items: [{ traceId: shared }],
    })
    expect((await list({ tags: 'http.route=/other' })).items).toEqual([])

    const one = (traceId: string) => mine.team.leader.call(traces.get, { params: { ...mine.params, traceId } })
    const seen = await one(shared)
    expect(seen.trace?.spans).toMatchObject([
      { id: a, hidden: false, service: 'web', operation: 'GET /basket' },
      { id: b, hidden: true, tags: [] },
    ])
    expect(JSON.stringify(seen)).not.toContain('secret-operation')
    await expect(one(foreign)).rejects.toMatchObject({ status: 404 })
    await expect(one(randomBytes(16).toString('hex'))).rejects.toMatchObject({ status: 404 })
  })
})
