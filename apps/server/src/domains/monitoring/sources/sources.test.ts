import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { monitoring } from '@gantry/contract/monitoring/metrics'
import { mask } from '@gantry/contract/validators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { figures, measuredCluster } from '../../../../test/measured-cluster.ts'
import { sampleAll } from '../samples/sampling.service.ts'

const { app, env, mine, shop, bank, ask } = await measuredCluster()

describe('a Prometheus that replaces the sampling', () => {
  let answer: (form: URLSearchParams, authorization: string) => { status: number; body: unknown }
  const requests: { query: string; authorization: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const form = new URLSearchParams(body)
      const authorization = request.headers.authorization ?? ''
      requests.push({ query: form.get('query') ?? '', authorization })
      const { status, body: content } = answer(form, authorization)
      response.writeHead(status).end(JSON.stringify(content))
    })
  })
  const works = (form: URLSearchParams) => ({
    status: 200,
    body: {
      status: 'success',
      data: form.has('step')
        ? {
            resultType: 'matrix',
            result: [{ metric: { pod: 'p', namespace: 'n' }, values: [[Number(form.get('end')), '4']] }],
          }
        : { resultType: 'vector', result: [{ metric: {}, value: [1, '1700000000'] }] },
    },
  })
  let url = ''
  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    answer = works
  })
  afterAll(() => server.close())
  const save = (body: object) =>
    app.admin.call(monitoring.setSource, { params: { env }, body: { kind: 'prometheus', url, ...body } })

  test('is queried before it is saved, and its secrets are never shown', async () => {
    answer = () => ({ status: 401, body: {} })
    await expect(save({ username: 'ann', password: 'first-secret' })).rejects.toMatchObject({
      key: 'prometheus-credentials',
    })
    expect(await app.admin.call(monitoring.source, { params: { env } })).toMatchObject({ kind: 'sampled' })
    answer = works
    const saved = await save({ username: 'ann', password: 'first-secret' })
    expect(saved).toMatchObject({ kind: 'prometheus', url, username: 'ann', password: mask, token: '', cluster: '' })
    const row = await app.db.selectFrom('monitoring_source').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('first-secret')
    await expect(mine.leader.call(monitoring.source, { params: { env } })).rejects.toMatchObject({ status: 403 })
  })

  test('keeps its masked secret only for the same server and user', async () => {
    await save({ username: 'ann', password: mask, cluster: 'east' })
    expect(requests.at(-1)?.authorization).toBe(`Basic ${Buffer.from('ann:first-secret').toString('base64')}`)
    for (const other of [{ username: 'bob' }, { username: 'ann', url: 'http://127.0.0.1:9' }])
      await expect(save({ password: mask, ...other })).rejects.toMatchObject({ key: 'monitoring-secret-again' })
    expect(await app.admin.call(monitoring.source, { params: { env } })).toMatchObject({
      username: 'ann',
      cluster: 'east',
    })
  })

  test('with invalid settings is refused at the field', async () => {
    const wrong: [object, string][] = [
      [{ url: '' }, 'url'],
      [{ url: 'ftp://x' }, 'url'],
      [{ url: 'http://a:b@x/' }, 'url'],
      [{ username: 'ann', token: 't' }, 'token'],
      [{ token: 'a b' }, 'token'],
      [{ token: 'a\r\nX-Evil: 1' }, 'token'],
      [{ username: 'a:b' }, 'username'],
    ]
    for (const [body, field] of wrong)
      await expect(save(body)).rejects.toMatchObject({
        status: 400,
        problems: [{ path: expect.stringContaining(field) }],
      })
  })

  test('is queried with the team’s own namespaces and the cluster’s label', async () => {
    const answer = await ask(mine, 'container_cpu_usage', { service: shop.service })
    expect(answer).toMatchObject({ source: 'prometheus', notice: '', stepSeconds: 15 })
    expect(answer.series).toMatchObject([
      { name: 'p', type: 'container_cpu_usage', metric: { pod: 'p', namespace: 'n' } },
    ])
    expect(answer.series[0]!.dps.length).toBeGreaterThan(200)
    expect(figures(answer.series[0]!)).toEqual([4])
    const { query } = requests.at(-1)!
    expect(query).toContain(`cluster="east"`)
    expect(query).toContain(`namespace="${shop.namespace}"`)
    expect(query).not.toContain(bank.namespace)
    await ask(mine, 'namespace_cpu_usage')
    expect(requests.at(-1)?.query).not.toContain(bank.namespace)
    const health = await mine.leader.call(monitoring.health, { params: { tenant: mine.id, env } })
    expect(health).toMatchObject({ source: 'prometheus', healthy: true, latest: '2023-11-14T22:13:20.000Z' })
  })

  test('is asked for only as many series as a chart has lines, and the answer says that some are missing', async () => {
    let limit = ''
    answer = (form) => {
      limit = form.get('limit') ?? ''
      const values = [[Number(form.get('end')), '1']]
      const result = Array.from({ length: Number(limit) }, (_, at) => ({ metric: { pod: `p${at}` }, values }))
      return { status: 200, body: { status: 'success', data: { resultType: 'matrix', result } } }
    }
    const { series, truncated } = await ask(mine, 'container_cpu_usage')
    expect([limit, series.length, truncated]).toEqual(['51', 50, true])
  })

  test('that rounds times to whole steps has its figures drawn, and a gap stays a gap', async () => {
    answer = (form) => {
      const [step, end] = [Number(form.get('step')), Math.floor(Number(form.get('end')))]
      const last = end - (end % step) - 1
      const values = [0, 1, 2, 3, 5].map((ago) => [last - ago * step, String(ago)])
      return {
        status: 200,
        body: {
          status: 'success',
          data: { resultType: 'matrix', result: [{ metric: {}, values: values.toReversed() }] },
        },
      }
    }
    const { series, stepSeconds } = await ask(mine, 'cluster_cpu_usage', { type: 'WEEK', duration: 1 })
    expect(stepSeconds).toBe(1800)
    expect(series[0]!.dps.slice(-6).map(([, value]) => value)).toEqual([5, null, 3, 2, 1, 0])
  })

  test('with an invalid time in its answer is unhealthy, and the call does not fail', async () => {
    answer = () => ({
      status: 200,
      body: { status: 'success', data: { resultType: 'vector', result: [{ metric: {}, value: [1, '1e300'] }] } },
    })
    const health = await mine.leader.call(monitoring.health, { params: { tenant: mine.id, env } })
    expect(health).toMatchObject({ healthy: false, latest: null })
  })

  test('that is down or refuses leaves a gap and a notice, in both languages', async () => {
    answer = () => ({ status: 500, body: 'oh' })
    const broken = await ask(mine, 'cluster_cpu_usage')
    expect(broken).toMatchObject({
      source: 'prometheus',
      series: [],
      notice: expect.stringContaining('not responding properly'),
    })
    const params = { tenant: mine.id, env, expression: 'cluster_cpu_usage' } as const
    expect((await app.admin.call(monitoring.query, { params })).notice).toMatch(/127\.0\.0\.1.*500/)
    const zh = await mine.leader.call(
      monitoring.query,
      { params: { tenant: mine.id, env, expression: 'cluster_cpu_usage' } },
      { 'accept-language': 'zh' },
    )
    expect(zh.notice).toMatch(/\p{Script=Han}/u)
    expect(await mine.leader.call(monitoring.health, { params: { tenant: mine.id, env } })).toMatchObject({
      healthy: false,
      message: expect.stringMatching(/.+/),
    })
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
    const down = await ask(mine, 'cluster_cpu_usage')
    expect(down).toMatchObject({ source: 'prometheus', series: [] })
    expect(down.notice).not.toBe('')
  })

  test('stops the sampling of its cluster, which goes on without it', async () => {
    await app.db.deleteFrom('monitoring_sampling').execute()
    await sampleAll(app.ctx())
    expect(await app.db.selectFrom('monitoring_sampling').selectAll().execute()).toEqual([])
    await save({ kind: 'sampled', url: '' })
    await sampleAll(app.ctx())
    expect(await ask(mine, 'cluster_cpu_usage')).toMatchObject({ source: 'sampled', notice: '' })
  })
})
