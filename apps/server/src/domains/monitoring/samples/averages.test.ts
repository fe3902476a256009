import { describe, expect, test } from 'vitest'
import { figures, measuredCluster } from '../../../../test/measured-cluster.ts'
import { keepPartitions } from './partitions.store.ts'
import { averageHours, writeSamples } from './samples.store.ts'

const { app, env, mine, shop, ask } = await measuredCluster()
const minute = 60_000

describe('over days', () => {
  const hour = 60 * minute

  test('completed hours are averaged over five minutes once, and the averages answer when the minutes are gone', async () => {
    const now = Math.floor(Date.now() / hour) * hour
    const [sample] = await app.db
      .selectFrom('metric_series')
      .selectAll()
      .where('expression', '=', 'cluster_pods')
      .execute()
    const from = now - 30 * hour
    await keepPartitions(app.db, from)
    const write = (at: number, value: number) =>
      writeSamples(app.db, env, at, [
        { expression: 'cluster_pods', host: '', namespace: '', pod: '', container: '', most: null, value },
      ])
    // one figure a minute, 0 to 59, with a gap of ten minutes
    for (let at = 0; at < 60; at++) if (at < 20 || at >= 30) await write(from + at * minute, at)
    expect(await averageHours(app.db, now)).toBeGreaterThan(0)
    expect(await averageHours(app.db, now)).toBe(0)
    const rows = await app.db
      .selectFrom('metric_hour')
      .select('points')
      .where('series', '=', sample!.id)
      .where('hour', '=', new Date(from).toISOString())
      .execute()
    expect(rows).toEqual([{ points: [2, 7, 12, 17, null, null, 32, 37, 42, 47, 52, 57] }])
    await app.db
      .deleteFrom('metric_raw')
      .where('slot', '<', new Date(now - 25 * hour).toISOString())
      .execute()
    const { series } = await ask(mine, 'cluster_pods', { type: 'RANGE', start: from, end: from + hour })
    const [long] = (await ask(mine, 'cluster_pods', { type: 'WEEK', duration: 1 })).series
    expect(figures(series[0]!)).toContain(57)
    expect(series[0]!.dps.some(([, value]) => value === null)).toBe(true)
    expect(figures(long!).length).toBeGreaterThan(1)
  })
})

test('a service with more containers than a chart has lines is the sum of all of them', async () => {
  const at = Math.floor(Date.now() / minute) * minute - 5 * minute
  const letters = [...'bcdfghjklmnp']
  const pods = letters.flatMap((a) => letters.map((b) => `web-7d9f8c6b5-xxx${a}${b}`))
  const of = { expression: 'container_cpu_usage', host: '', namespace: shop.namespace, container: 'web' } as const
  const samples = pods.map((pod) => ({ ...of, pod, value: 0.5, most: null }))
  await writeSamples(app.db, env, at, samples)
  const { series, truncated } = await ask(mine, 'service_cpu_usage', { service: shop.service })
  expect(series[0]?.dps.find(([time]) => time === at)?.[1]).toBeCloseTo(0.5 * pods.length, 3)
  expect(truncated).toBe(false)
})
