import { builds } from '@gantry/contract/pipelines/builds'
import type { Step } from '@gantry/contract/pipelines/definition'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { reports } from '@gantry/contract/pipelines/reports'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { jsonb } from '../../../db/json.ts'
import { endBuild } from '../builds/builds.store.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
const day = Date.parse('2026-03-02T00:00:00Z')
const hour = 3_600_000
const range = { type: 'RANGE', startTime: day, endTime: day + 72 * hour } as const

let team: Awaited<ReturnType<typeof app.team>>
let other: typeof team
let appId = 0

beforeAll(async () => {
  team = await app.team()
  other = await app.team()
  appId = (await team.leader.call(groups.create, { params: { teamId: team.id }, body: { name: 'shop' } })).id
})

let made = 0
const create = async (by = team.leader, group = appId) =>
  (await by.call(definitions.create, { body: { appId: group, projectName: `pipeline ${++made}` } })).id

type State = 'success' | 'failed' | 'aborted'
interface Ended {
  state: State
  /** In hours after the beginning of the day. */
  ended: number
  /** In seconds. */
  took?: number
  waited?: number
  deploy?: 'success' | 'failed' | 'not_built'
  /** The type of the deploy step. */
  by?: Step['type']
}

async function ran(pipelineId: number, ...all: Ended[]) {
  for (const [at, { state, ended, took = 60, waited = 0, deploy, by = 'deploy' }] of all.entries()) {
    const end = day + ended * hour
    const stamp = (ms: number) => new Date(ms).toISOString()
    const { id } = await app.db
      .insertInto('build')
      .values({
        pipeline_id: pipelineId,
        team_id: team.id,
        number: at + 1,
        state: 'building',
        cause: 'manual',
        user_cause: 'ann',
        by_admin: false,
        definition: jsonb({ stages: [] }),
        timeout_seconds: 1,
        queued_at: stamp(end - (took + waited) * 1000),
        started_at: stamp(end - took * 1000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const step = { build_id: id, stage: 'ship', stage_index: 0 }
    const times = { started_at: stamp(end - took * 1000), ended_at: stamp(end) }
    const steps = [
      { ...step, ...times, index: 0, name: 'compile', type: 'script', state },
      ...(deploy === undefined
        ? []
        : [
            {
              ...step,
              ...(deploy === 'not_built' ? {} : times),
              index: 1,
              name: 'roll out',
              type: by,
              state: deploy,
            },
          ]),
    ]
    await app.db.insertInto('build_step').values(steps).execute()
    await endBuild(app.db, id, state)
    await app.db
      .updateTable('build')
      .set({ ended_at: stamp(end) })
      .where('id', '=', id)
      .execute()
  }
}

const ask = (id: number) => ({ params: { id }, query: range })

describe('builds of a period', () => {
  test('count in the slot in which they ended', async () => {
    const id = await create()
    await ran(
      id,
      { state: 'success', ended: -0.001 },
      { state: 'success', ended: 0 },
      { state: 'failed', ended: 23 },
      { state: 'success', ended: 24 },
      { state: 'aborted', ended: 71 },
      { state: 'success', ended: 72 },
    )
    const report = await team.leader.call(reports.stateDistribution, ask(id))
    expect(report).toMatchObject({
      unit: 'day',
      startTime: day,
      endTime: day + 72 * hour,
      success: 2,
      failed: 1,
      aborted: 1,
    })
    expect(report.items).toEqual([
      { startTime: day, endTime: day + 24 * hour, success: 1, failed: 1, aborted: 0 },
      { startTime: day + 24 * hour, endTime: day + 48 * hour, success: 1, failed: 0, aborted: 0 },
      { startTime: day + 48 * hour, endTime: day + 72 * hour, success: 0, failed: 0, aborted: 1 },
    ])
    // the link of each bar lists the builds that it counts
    const opened = (item: object, state?: State) =>
      team.leader.call(builds.list, { params: { id }, query: { ...item, ...(state && { state }) } })
    for (const { startTime, endTime, ...counts } of report.items)
      for (const state of ['success', 'failed', 'aborted'] as const)
        expect((await opened({ startTime, endTime }, state)).totalSize).toBe(counts[state])
    expect((await opened({ startTime: day, endTime: day + 24 * hour })).items.map((build) => build.number)).toEqual([
      3, 2,
    ])
    expect((await opened({})).totalSize).toBe(6)
  })

  test('have a success rate that ignores aborted ones, and a mean duration', async () => {
    const id = await create()
    await ran(
      id,
      { state: 'success', ended: 1, took: 100, waited: 10 },
      { state: 'success', ended: 2, took: 200, waited: 20 },
      { state: 'failed', ended: 3, took: 900, waited: 30 },
      { state: 'aborted', ended: 4, took: 900, waited: 40 },
    )
    const { items, ...whole } = await team.leader.call(reports.ability, ask(id))
    expect(whole).toMatchObject({
      success: 2,
      failed: 1,
      aborted: 1,
      successRate: 2 / 3,
      seconds: 150,
      waitSeconds: 25,
    })
    expect(items[0]).toMatchObject({ successRate: 2 / 3, seconds: 150 })
    expect(items[1]).toMatchObject({ success: 0, successRate: null, seconds: null, waitSeconds: null })
  })

  test('have the duration of all their runs if they were retried, and the wait before the first', async () => {
    const id = await create()
    await ran(id, { state: 'success', ended: 10, took: 100, waited: 9 * 3600 })
    // the first run took 50 seconds and began 20 seconds after it was queued
    await sql`update build set earlier_seconds = 50, first_started_at = queued_at + interval '20 seconds'
      where pipeline_id = ${id}`.execute(app.db)
    expect(await team.leader.call(reports.ability, ask(id))).toMatchObject({ seconds: 150, waitSeconds: 20 })
  })

  test('have no duration while they wait for people', async () => {
    const id = await create()
    await ran(id, { state: 'success', ended: 10, took: 100 })
    await sql`update build set waited_seconds = 70 where pipeline_id = ${id}`.execute(app.db)
    expect(await team.leader.call(reports.ability, ask(id))).toMatchObject({ seconds: 30 })
  })

  test('have recoveries from the first failure to the next success', async () => {
    const id = await create()
    await ran(
      id,
      // failures began before the period
      { state: 'success', ended: -9 },
      { state: 'failed', ended: -2 },
      { state: 'failed', ended: -1 },
      { state: 'success', ended: 2 },
      { state: 'success', ended: 3 },
      { state: 'failed', ended: 10 },
      { state: 'aborted', ended: 11 },
      { state: 'failed', ended: 12 },
      { state: 'success', ended: 30 },
      { state: 'failed', ended: 60 },
    )
    const { items, ...whole } = await team.leader.call(reports.recoverAvg, ask(id))
    expect(whole).toMatchObject({ recoveries: 2, seconds: ((4 + 20) / 2) * 3600, failingSince: day + 60 * hour })
    expect(items.map(({ recoveries, seconds }) => [recoveries, seconds])).toEqual([
      [1, 4 * 3600],
      [1, 20 * 3600],
      [0, null],
    ])
  })

  test('show which steps of which stages fail and take long', async () => {
    const id = await create()
    await ran(
      id,
      { state: 'success', ended: 1, took: 10, deploy: 'success' },
      { state: 'failed', ended: 2, took: 30, deploy: 'failed' },
      { state: 'failed', ended: 3, took: 20, deploy: 'not_built' },
    )
    expect(await team.leader.call(reports.stageMeta, ask(id))).toMatchObject({
      builds: 3,
      truncated: false,
      stages: [
        {
          name: 'ship',
          runs: 3,
          failed: 3,
          seconds: (10 + 30 + 20 + 10 + 30) / 3,
          steps: [
            { name: 'compile', type: 'script', runs: 3, failed: 2, seconds: 20 },
            { name: 'roll out', type: 'deploy', runs: 2, failed: 1, seconds: 20 },
          ],
        },
      ],
    })
  })

  test('do not exist for a new pipeline, and every report shows that', async () => {
    const id = await create()
    const nothing = { success: 0, failed: 0, aborted: 0 }
    expect(await team.leader.call(reports.stateDistribution, ask(id))).toMatchObject(nothing)
    expect(await team.leader.call(reports.ability, ask(id))).toMatchObject({
      ...nothing,
      successRate: null,
      seconds: null,
    })
    expect(await team.leader.call(reports.recoverAvg, ask(id))).toMatchObject({
      recoveries: 0,
      seconds: null,
      failingSince: null,
    })
    expect(await team.leader.call(reports.stageMeta, ask(id))).toMatchObject({ builds: 0, stages: [] })
    expect(await team.leader.call(reports.code, ask(id))).toMatchObject({ unit: 'day', items: [] })
    expect(await team.leader.call(reports.delivery, ask(id))).toMatchObject({
      deployments: 0,
      perDay: 0,
      failureRate: null,
    })
  })
})

describe('deployments', () => {
  test('are counted, timed and restored by pipeline, group and team', async () => {
    const { id: group } = await team.leader.call(groups.create, {
      params: { teamId: team.id },
      body: { name: 'fleet' },
    })
    const [id, second] = [await create(team.leader, group), await create(team.leader, group)]
    await ran(
      id,
      { state: 'success', ended: 1, took: 600, waited: 120, deploy: 'success', by: 'helm' },
      { state: 'failed', ended: 5, deploy: 'failed', by: 'blueprint' },
      { state: 'failed', ended: 6, deploy: 'failed' },
      // fails before its deploy step
      { state: 'failed', ended: 7, deploy: 'not_built' },
      { state: 'success', ended: 29, took: 300, waited: 60, deploy: 'success' },
      // has no deploy step
      { state: 'success', ended: 30 },
    )
    // a success of another pipeline restores nothing
    await ran(second, { state: 'success', ended: 5.5, took: 300, waited: 60, deploy: 'success' })
    const own = await team.leader.call(reports.delivery, ask(id))
    expect(own).toMatchObject({
      deployments: 2,
      failedDeployments: 2,
      perDay: 2 / 3,
      leadSeconds: 540,
      failureRate: 0.5,
      restoreSeconds: 24 * 3600,
    })
    expect(own.items[1]).toMatchObject({ deployments: 1, perDay: 1, failedDeployments: 0, restoreSeconds: 24 * 3600 })
    const together = {
      deployments: 3,
      failedDeployments: 2,
      failureRate: 0.4,
      leadSeconds: 480,
      restoreSeconds: 24 * 3600,
    }
    expect(await team.leader.call(reports.groupDelivery, ask(group))).toMatchObject(together)
    expect(await team.leader.call(reports.groupDelivery, ask(appId))).not.toMatchObject(together)
    const all = await team.leader.call(reports.teamDelivery, { params: { teamId: team.id }, query: range })
    expect(all.deployments).toBeGreaterThanOrEqual(together.deployments)
    const empty = { params: { teamId: other.id }, query: range }
    expect(await other.leader.call(reports.teamDelivery, empty)).toMatchObject({ deployments: 0, failureRate: null })
  })
})

describe('several pipelines', () => {
  test('are compared in the order of the request', async () => {
    const [first, second] = [await create(), await create()]
    await ran(second, { state: 'success', ended: 1, took: 50 }, { state: 'failed', ended: 2 })
    const { items } = await team.leader.call(reports.abilities, {
      query: { ...range, ids: `${second},${first},${second}` },
    })
    expect(items).toMatchObject([
      { pipelineId: second, appId, success: 1, failed: 1, successRate: 0.5, seconds: 50 },
      { pipelineId: first, success: 0, successRate: null },
    ])
  })

  test('are refused as a whole if one is another team’s, exactly as if it did not exist', async () => {
    const own = await create()
    const group = await other.leader.call(groups.create, { params: { teamId: other.id }, body: { name: 'theirs' } })
    const foreign = await create(other.leader, group.id)
    const compare = (ids: string, by = team.leader) => by.call(reports.abilities, { query: { ...range, ids } })
    await expect(compare(`${own},${foreign}`)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
    await expect(compare(`${own},999999999`)).rejects.toMatchObject({ status: 404, key: 'resource-missing' })
    expect((await compare(`${own},${foreign}`, app.admin)).items).toHaveLength(2)
    const stranger = await team.member(['pipeline_pipeline_view'])
    await expect(compare(String(own), stranger)).rejects.toMatchObject({ status: 403 })
    for (const ids of ['', 'x', '0', `${own},`, Array.from({ length: 101 }, (_, at) => at + 1).join(',')])
      await expect(compare(ids)).rejects.toMatchObject({ status: 400 })
  })
})

describe('an invalid period', () => {
  test.for([
    ['a range without times', { type: 'RANGE' }, 'report-range-required'],
    ['a range without an end', { type: 'RANGE', startTime: day }, 'report-range-required'],
    ['a range that ends before it starts', { type: 'RANGE', startTime: day, endTime: day - 1 }, 'range-order'],
    ['a range of no length', { type: 'RANGE', startTime: day, endTime: day }, 'range-order'],
    [
      'a range of six years',
      { type: 'RANGE', startTime: day - 6 * 366 * 24 * hour, endTime: day },
      'report-range-too-long',
    ],
    ['a time that is no number', { type: 'RANGE', startTime: 'x', endTime: day }, undefined],
    ['an unknown type', { type: 'DECADE' }, undefined],
    ['an unknown zone', { type: 'WEEK', zone: 'Europe/Atlantis' }, undefined],
  ] as const)('%s is refused', async ([, query, key]) => {
    const id = await create()
    const refused = team.leader.call(reports.ability, { params: { id }, query: query as never })
    await expect(refused).rejects.toMatchObject({ status: 400 })
    if (key !== undefined) await expect(refused).rejects.toMatchObject({ problems: [expect.objectContaining({ key })] })
  })

  test('of a predefined type ignores the times that come with it', async () => {
    const id = await create()
    const query = { type: 'YEAR', startTime: 5, endTime: 1 } as const
    expect(await team.leader.call(reports.ability, { params: { id }, query })).toMatchObject({ unit: 'month' })
  })
})
