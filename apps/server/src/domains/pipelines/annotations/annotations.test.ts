import { annotations } from '@gantry/contract/pipelines/findings/annotations'
import { builds } from '@gantry/contract/pipelines/builds'
import { expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { keptAnnotations } from './annotations.store.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs } })

const report = (message: string) =>
  `<testsuite name="quay"><testcase name="is lit"><failure>${message}</failure></testcase><testcase name="holds"/></testsuite>`

/** A failed build whose step has written this log and these reports. */
async function failed(log: string, reports: string[] = []) {
  const team = await app.team()
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  const params = { id: pipeline.id, number }
  await agent.log(held, 0, 0, log)
  for (const text of reports) await agent.upload(held, 0, 'reports', 'report.xml', text)
  const step = { type: 'step' as const, step: 0, at: 0 }
  await agent.events(held, 1, [
    { ...step, state: 'building' },
    { ...step, state: 'failed', exitCode: 1 },
    { type: 'end', state: 'failed', logs: [{ step: 0, bytes: Buffer.byteLength(log) }] },
  ])
  await app.drainJobs()
  return {
    team,
    params,
    list: (query: object = {}) => team.leader.call(annotations.list, { params, query }),
    count: async () => (await team.leader.call(builds.get, { params })).annotationNum,
  }
}

const log = [
  'cc -c src/a.c',
  'src/b.c:9:1: warning: unused x',
  "src/a.c:3:5: error: expected ';'",
  'src/a.c:1:1: note: see here',
].join('\n')

test('an ended build lists the annotations of its log, errors first, each with its line of the log', async () => {
  const build = await failed(log)
  expect((await build.list()).items).toMatchObject([
    { level: 'error', file: 'src/a.c', line: 3, column: 5, message: "expected ';'", logLine: 2, stepName: 'hello' },
    { level: 'warning', file: 'src/b.c', line: 9, message: 'unused x', logLine: 1 },
    { level: 'notice', file: 'src/a.c', line: 1, logLine: 3 },
  ])
  expect(await build.count()).toBe(3)
})

test('annotations are filtered by level and text, and paged', async () => {
  const build = await failed(log)
  expect(await build.list({ level: 'warning' })).toMatchObject({ totalSize: 1, items: [{ file: 'src/b.c' }] })
  expect((await build.list({ keyword: 'EXPECTED' })).items).toHaveLength(1)
  expect(await build.list({ pageSize: 2, requestPage: 2 })).toMatchObject({
    totalSize: 3,
    items: [{ level: 'notice' }],
  })
})

test('a failed test is placed where its message says, and a report uploaded again replaces its annotations', async () => {
  const build = await failed('', [report('at src/old.ts:1:1'), report('not lit\n  at f (src/quay.test.ts:7:3)')])
  expect((await build.list()).items).toMatchObject([
    { level: 'error', file: 'src/quay.test.ts', line: 7, column: 3, message: 'quay is lit: not lit', logLine: null },
  ])
})

test('a log full of warnings keeps the first ones', async () => {
  const build = await failed('src/a.c:3:5: warning: again\n'.repeat(keptAnnotations + 5))
  expect(await build.count()).toBe(keptAnnotations)
})

test('characters that cannot be stored as text are removed from the message', async () => {
  const build = await failed('src/a.c:3:5: error: odd \0 \ufffd text')
  expect((await build.list()).items).toMatchObject([{ message: expect.stringMatching(/^odd .* text$/) }])
})

test('a retry begins without the annotations of the earlier attempt', async () => {
  const build = await failed(log)
  await build.team.leader.call(builds.retry, { params: build.params, body: {} })
  expect(await build.count()).toBe(0)
})
