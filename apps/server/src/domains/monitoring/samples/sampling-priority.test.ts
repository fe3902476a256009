import { randomUUID } from 'node:crypto'
import { monitoring } from '@gantry/contract/monitoring/metrics'
import { describe, expect, test } from 'vitest'
import { measuredCluster } from '../../../../test/measured-cluster.ts'
import { seal } from '../../../kernel/secrets/secrets.ts'
import { sampleAll } from './sampling.service.ts'

const { app, kube, address, env, mine, theirs, shop, newEnvironment, ask } = await measuredCluster()

describe('containers beyond the cap', () => {
  const on = (container: string, by = mine) =>
    by.leader.call(monitoring.containerOn, {
      params: { t: by.id, e: env, s: shop.stack, svc: shop.service, i: container },
    })

  test('a prioritized container is found by its pod or name, and only by its team', async () => {
    const { rows } = await kube.cluster('direct', address).rows('pods', shop.namespace, 5000)
    await on(rows[0]!.uid)
    await on(rows[0]!.name)
    await on('web')
    // calls of a stack accept its id or its uuid
    const { uuid: s } = await app.db
      .selectFrom('stack')
      .select('uuid')
      .where('id', '=', shop.stack)
      .executeTakeFirstOrThrow()
    const byUuid = { t: mine.id, e: env, s, svc: shop.service, i: 'web' }
    await mine.leader.call(monitoring.containerOn, { params: byUuid })
    await expect(
      mine.leader.call(monitoring.containerOn, { params: { ...byUuid, s: randomUUID() } }),
    ).rejects.toMatchObject({ status: 404 })
    const priorities = await app.db.selectFrom('monitoring_wish').selectAll().execute()
    expect(priorities).toMatchObject([{ service_id: shop.service, container: 'web' }])
    await expect(on('nothing')).rejects.toMatchObject({ status: 404 })
    await expect(on('web', theirs)).rejects.toMatchObject({ status: 404 })
    const viewer = { ...mine, leader: await mine.member(['monitor_metrics_view']) }
    await expect(on('web', viewer)).rejects.toMatchObject({ status: 403 })
  })

  test('a cluster that does not answer is reported', async () => {
    const dead = await newEnvironment(
      'dead',
      seal(app.ctx(), JSON.stringify({ ...address, server: 'https://127.0.0.1:1' })),
    )
    await app.db.insertInto('environment_team').values({ environment: dead, team_id: mine.id }).execute()
    await app.db.updateTable('stack').set({ environment: dead }).where('id', '=', shop.stack).execute()
    const params = { t: mine.id, e: dead, s: shop.stack, svc: shop.service, i: 'web' }
    await expect(mine.leader.call(monitoring.containerOn, { params })).rejects.toMatchObject({
      status: 503,
      key: 'kube-refused',
    })
    await app.db.updateTable('stack').set({ environment: env }).where('id', '=', shop.stack).execute()
  })

  test('an omitted container has a notice that says so and what to do', async () => {
    await app.db.deleteFrom('metric_series').where('expression', 'like', 'container%').execute()
    await app.db.updateTable('monitoring_sampling').set({ left_out: 7 }).execute()
    const answer = await ask(mine, 'container_cpu_usage', { service: shop.service })
    expect(answer).toMatchObject({ series: [], left: true, notice: expect.stringContaining('not included') })
    await sampleAll(app.ctx())
    expect(await ask(mine, 'container_cpu_usage', { service: shop.service })).toMatchObject({ left: false })
  })
})
