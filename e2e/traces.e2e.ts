import { clusters } from '@gantry/contract/clusters/clusters'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { teams } from '@gantry/contract/teams/teams'
import { tracingSources } from '@gantry/contract/tracing/sources'
import { afterAll, beforeAll, test } from 'vitest'
import { jaegerTrace, simulatedTracing } from '../apps/server/test/simulated-tracing.ts'
import { newUser } from './product.ts'
import { stories } from './story.ts'

/** A request is followed through the services of a stack, and the mesh traffic is displayed. */
stories(
  'traces',
  (suite, { language }) => {
    let server: Awaited<ReturnType<typeof simulatedTracing>>
    let place = ''
    let env = ''
    const leader = `traces-lead-${language}`
    beforeAll(async () => {
      server = await simulatedTracing()
      const { product } = suite()
      const { admin } = product
      const { id: teamId } = await admin.call(teams.create, { body: { name: `traces-${language}` } })
      await newUser(product, leader, { teamId, roleId: 'leader' })
      const [cluster] = await admin.call(clusters.ofTeam, { params: { teamId } })
      env = cluster?.uuid ?? ''
      const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'shop', envId: env } })
      await admin.call(services.create, {
        params: { teamId, stackId: stack.id, serviceName: 'web' },
        body: { image: 'registry.example.org/shop/web:1' },
      })
      place = `/teams/${teamId}/appcenter/env/sandbox/${env}/stack/shop/${stack.id}`
      const { namespace } = stack
      server.traces = [
        jaegerTrace('abc123', Date.now() - 60_000, [
          { id: 'a1', service: 'web', operation: 'GET /basket', namespace, duration: 9000 },
          { id: 'b1', parent: 'a1', service: 'ledger', namespace: 'bank', at: 1000, duration: 7000 },
          {
            id: 'a2',
            parent: 'b1',
            service: 'web',
            operation: 'POST /paid',
            namespace,
            at: 2000,
            tags: { error: true },
          },
        ]),
      ]
      server.graph = {
        nodes: [
          { id: '1', nodeType: 'workload', namespace, workload: 'web' },
          { id: '2', nodeType: 'workload', namespace: 'bank', workload: 'ledger' },
        ],
        edges: [
          { source: '1', target: '2', responseTime: '12', traffic: { protocol: 'http', rates: { http: '2.50' } } },
        ],
      }
    })
    afterAll(async () => {
      for (const kind of ['jaeger', 'kiali'] as const)
        await suite().product.admin.call(tracingSources.set, { params: { env, kind }, body: {} })
      server.close()
    })

    test('without a server the page says who can connect one; then a trace is opened and the mesh is drawn', async () => {
      const story = await suite().enter(leader)
      const { page, say, press, check } = story
      await page.goto(`${place}/jaeger`)
      await page.getByText(say('tracing-ui-unset-jaeger'), { exact: true }).waitFor()
      await check()
      for (const kind of ['jaeger', 'kiali'] as const)
        await suite().product.admin.call(tracingSources.set, { params: { env, kind }, body: { url: server.url } })

      await page.reload()
      await press(page.getByRole('link', { name: 'GET /basket', exact: true }))
      const tree = page.getByRole('tree')
      await tree.waitFor()
      await check()
      await tree.focus()
      await page.keyboard.press('ArrowDown')
      await page.getByText(say('tracing-ui-hidden-memo')).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.getByRole('heading', { name: 'web: POST /paid' }).waitFor()
      await check()

      await page.goto(`${place}/kiali`)
      await page.getByRole('option', { name: /web/ }).waitFor()
      await page
        .getByText(say('tracing-ui-rate', { rate: '2.50' }), { exact: true })
        .first()
        .waitFor()
      await check()
      await story.end()
    }, 240_000)
  },
  { GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8' },
)
