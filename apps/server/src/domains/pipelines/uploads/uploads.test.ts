import { artifacts } from '@gantry/contract/pipelines/artifacts'
import { expect, test } from 'vitest'
import { folderBlobs } from '../../../adapters/blobs/folder.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import { sweepBlobs } from './blobs.jobs.ts'

const blobs = await folderBlobs({ folder: testFolder('blobs'), reserve: 0 })
const app = await testApp({ ports: { blobs }, config: { buildArtifactBytes: 10 } })

test('a build keeps artifacts up to its limit, and a refused one leaves nothing', async () => {
  const team = await app.team()
  const { pipeline, number, agent, held } = await runningBuild(app, team)
  const keep = async (path: string, text: string) => (await agent.upload(held, 0, 'artifacts', path, text)).status
  const refused = { status: 409, message: 'pipelines-artifacts-too-large' }
  expect(await keep('a', '123456')).toBe(200)
  expect(await agent.upload(held, 0, 'artifacts', 'b', '12345')).toMatchObject(refused)
  expect(await keep('b', '1234')).toBe(200)
  expect(await agent.upload(held, 0, 'artifacts', 'c', '1')).toMatchObject(refused)
  // a file that is sent again replaces itself
  expect(await keep('b', '4321')).toBe(200)
  await sweepBlobs(app.ctx())
  await app.drainJobs()
  const stored: number[] = []
  for await (const { size } of blobs.list('artifacts')) stored.push(size)
  expect(stored.toSorted()).toEqual([4, 6])
  const kept = await team.leader.call(artifacts.list, { params: { id: pipeline.id, number } })
  expect(kept.map(({ path }) => path)).toEqual(['a', 'b'])
})
