import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { monitoring } from '@gantry/contract/monitoring/metrics'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUser } from '../product.ts'
import type { Story } from '../story.ts'
import { clusterStories } from './cluster.ts'

/** The usage of a cluster and a service over time: sampled, then from a Prometheus that also fails. */

/** A server that answers every query with one series that has a gap in its middle. */
const door = { down: false }
const prometheus = createServer((request, response) => {
  if (door.down || request.headers.authorization !== 'Bearer token-of-ann') {
    response.writeHead(door.down ? 503 : 401).end('{}')
    return
  }
  void text(request).then((body) => {
    const form = new URLSearchParams(body)
    const [start, end, step] = ['start', 'end', 'step'].map((name) => Number(form.get(name)))
    const values: [number, string][] = []
    if (start && end && step)
      for (let at = start; at <= end; at += step)
        if (Math.abs(at - (start + end) / 2) > (end - start) / 10)
          values.push([at, String(20 + 10 * Math.sin(at / 300))])
    const metric = { nodename: 'rack-7', namespace: 'n', pod: 'web-7d9f8c6b5-x2x4q', container: 'web' }
    const data = form.has('step')
      ? { resultType: 'matrix', result: [{ metric, values }] }
      : { resultType: 'vector', result: [{ metric: {}, value: [1, '1'] }] }
    response.end(JSON.stringify({ status: 'success', data }))
  })
})

const patience = 240_000

/** The stories of both looks use the same service, which then has to be measured only once. */
let shop: { teamId: number; service: string } | undefined

clusterStories('metrics', (suite) => {
  const leader = 'lead'
  let teamId = 0
  let env = ''
  let url = ''
  let service = ''
  const sampled = () => suite().product.admin.call(monitoring.setSource, { params: { env }, body: { kind: 'sampled' } })

  async function open() {
    const { product, cluster } = suite()
    const { admin } = product
    const teamId = await cluster.team(cluster.own('team'))
    await newUser(product, leader, { teamId, roleId: 'leader' })
    const stack = await admin.call(stacks.create, { params: { teamId }, body: { name: 'shop', envId: env } })
    const { id } = await admin.call(services.create, {
      params: { teamId, stackId: stack.id, serviceName: 'web' },
      body: { image: 'localhost/web:1', resources: { cpu: '0.1', memory: '64Mi' }, replicas: 2 },
    })
    const at = `/teams/${teamId}/appcenter/env/${env}/stack/${stack.id}/${stack.uuid}/shop/services/${id}/web`
    return { teamId, service: `${at}/business/containers/from/appcenter` }
  }

  beforeAll(async () => {
    if (!prometheus.listening) await new Promise<void>((ready) => prometheus.listen(0, '127.0.0.1', ready))
    url = `http://127.0.0.1:${(prometheus.address() as AddressInfo).port}`
    door.down = false
    env = suite().cluster.uuid
    await sampled()
    shop ??= await open()
    ;({ teamId, service } = shop)
  })
  afterAll(() => {
    prometheus.closeAllConnections()
    prometheus.close()
  })

  /** A chart by its accessible name. */
  const chart = (
    { page, say }: Story,
    expression: 'cluster_cpu_percent' | 'host_network_receive' | 'container_cpu_usage' | 'container_network_receive',
  ) => page.getByRole('img', { name: new RegExp(`^${say(`monitoring-ui-${expression}`)}: .*\\d`) })
  const drawn = async (story: Story, expression: Parameters<typeof chart>[1]) => {
    // a cluster measures new objects with a delay, and the page reads once a minute
    await chart(story, expression).waitFor({ timeout: 150_000 })
    await chart(story, expression).locator('canvas').waitFor()
  }
  const button = ({ page }: Story, name: string) => page.getByRole('button', { name, exact: true })

  test(
    'a service and one of its containers',
    async () => {
      const { product, enter } = suite()
      const story = await enter(leader)
      const { page, say, press, check } = story
      await page.goto(`${service}?tab=metrics&range=15m`)
      await drawn(story, 'container_cpu_usage')
      await check()

      await product.admin.call(monitoring.setSource, {
        params: { env },
        body: { kind: 'prometheus', url, token: 'token-of-ann' },
      })
      await page.reload()
      await drawn(story, 'container_network_receive')
      await check()
      await page.goto(service)
      const ofPod = new RegExp(say('monitoring-ui-of', { name: 'POD' }).replace('POD', 'web-[a-z0-9-]+'))
      await press(page.getByRole('button', { name: ofPod }).first())
      await page.waitForURL(/\/containers\/web-[^/]+\/monitor\/from\//)
      await drawn(story, 'container_cpu_usage')
      await check()
      await press(page.getByRole('link', { name: 'web', exact: true }))
      await page.waitForURL(/\/containers\/from\//)
      await story.end()
    },
    patience,
  )

  test(
    'a cluster over a chosen period; its Prometheus is connected, and fails',
    async () => {
      await sampled()
      const story = await suite().enter('admin')
      const { page, say, press, write, choose, field, check } = story
      const dialog = page.getByRole('dialog')
      await page.goto(`/teams/${teamId}/resourcemanager/cluster/environments-detail/${env}?tab=metrics`)
      await drawn(story, 'cluster_cpu_percent')
      await page.getByText(say('monitoring-not-sampled')).waitFor()
      await check()
      const figures = page.getByText(say('ui-chart-table')).first()
      await press(figures)
      await page
        .getByRole('columnheader', { name: say('ui-chart-mean') })
        .first()
        .waitFor()
      const { cluster } = suite()
      // of the lab's hosts one is measured, and a chart with a single series has no button
      if (!cluster.real) {
        const host = page.getByRole('button', { name: cluster.host, exact: true }).first()
        await press(host)
        await expect.poll(() => host.getAttribute('aria-pressed')).toBe('false')
      }
      await check()

      await choose(field(say('monitoring-ui-range')), say('monitoring-ui-range-24h'))
      await page.waitForURL(({ searchParams }) => searchParams.get('range') === '24h')
      await choose(field(say('monitoring-ui-range')), say('monitoring-ui-range-custom'))
      await page.getByText(say('monitoring-ui-range-incomplete')).waitFor()
      await check()
      await choose(field(say('monitoring-ui-range')), say('monitoring-ui-range-1h'))

      await press(button(story, say('monitoring-ui-source')))
      await dialog.getByText(say('monitoring-ui-source-sampled')).first().waitFor()
      await check()
      await choose(dialog.getByLabel(say('monitoring-ui-source-kind')), say('monitoring-ui-source-prometheus'))
      await write(field(say('monitoring-ui-source-url')), 'prometheus')
      await press(button(story, say('monitoring-ui-source-check')))
      await dialog.locator('.ant-form-item-explain-error').first().waitFor()
      await write(field(say('monitoring-ui-source-url')), url)
      await write(field(say('monitoring-ui-source-token')), 'guess')
      await press(button(story, say('monitoring-ui-source-check')))
      await dialog.getByText(say('prometheus-credentials', { host: new URL(url).host })).waitFor()
      await check()
      await write(field(say('monitoring-ui-source-token')), 'token-of-ann')
      await press(button(story, say('monitoring-ui-source-check')))
      await dialog.waitFor({ state: 'hidden' })
      await drawn(story, 'host_network_receive')
      await page.getByText(say('monitoring-ui-from-prometheus')).waitFor()
      await check()

      door.down = true
      await page.reload()
      await page
        .getByText(new RegExp(new URL(url).host))
        .first()
        .waitFor()
      await page.getByText(say('monitoring-ui-nothing')).first().waitFor()
      await check()
      door.down = false
      await story.end(/\/monitoring$/)
    },
    patience,
  )
})
