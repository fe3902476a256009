import { agents } from '@gantry/contract/agents/agents'
import { buildImages } from '@gantry/contract/build-images/build-images'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { gitServer, type GitServer } from '../apps/agent/test/git-server.ts'
import { images, type Namespace, ownNamespace, whyNoKube } from '../apps/agent/test/kube.ts'
import { logOf, outcome, patient, runBuild } from './builds.ts'
import { newUser, startProduct, type Product } from './product.ts'

describe.skipIf(whyNoKube !== '')(`an agent in a cluster (${whyNoKube || 'it is there'})`, () => {
  let namespace: Namespace
  let product: Product
  let git: GitServer
  beforeAll(async () => {
    ;[namespace, git] = await Promise.all([ownNamespace(), gitServer()])
    product = await startProduct({
      GANTRY_BUILD_AGENT_IMAGE: namespace.environment['GANTRY_AGENT_IMAGE'] ?? '',
      GANTRY_OUTBOUND_ALLOW: '0.0.0.0/0',
      GANTRY_SANDBOX: 'off',
    })
  })
  afterAll(async () => {
    await product?.stop()
    await git?.close()
    await namespace?.close()
  })

  test('starts by the shown lines; jobs in pods fetch sources and pass files on', async () => {
    const { admin } = product
    const { id, ways } = await admin.call(agents.create, { body: { name: 'In.Cluster' } })
    // pods reach this machine, and servers on it, at another address than the machine itself
    const address = await namespace.serve(product.url)
    await namespace.volume('data-gantry-agent-in-cluster-0')
    await namespace.apply((ways.kubernetes ?? '').replaceAll(product.url, address))
    const known = await eventually(
      () => admin.call(agents.get, { params: { id } }),
      ({ state }) => state === 'online',
      patient,
    )
    expect(known.executors).toEqual(['kubernetes'])

    const { id: teamId } = await admin.call(teams.create, { body: { name: 'in-a-cluster' } })
    const leader = await newUser(product, 'in-a-cluster-lead', { teamId, roleId: 'leader' })
    const { id: appId } = await leader.call(groups.create, { params: { teamId }, body: { name: 'in-a-cluster' } })
    const { id: image } = await admin.call(buildImages.create, { body: { name: 'shell', image: images.shell } })
    await git.commit('main', { 'greeting.txt': 'hello\n' })
    const inPod = { executor: 'kubernetes' as const, image }
    const make = { type: 'script' as const, name: 'make', run: 'mkdir out; cp greeting.txt out/made' }
    const read = { type: 'script' as const, name: 'read', run: 'cat out/made' }
    const { id: pipelineId } = await leader.call(definitions.create, {
      body: {
        appId,
        projectName: 'in-a-cluster',
        repository: {
          url: `${await namespace.serve(git.url)}/private/hello.git`,
          branch: 'main',
          username: 'robin',
          password: 'open sesame',
        },
        definition: {
          stages: [
            {
              name: 'Make',
              jobs: [
                { ...inPod, name: 'make', handsOn: ['out/**'], steps: [{ type: 'checkout', name: 'sources' }, make] },
              ],
            },
            { name: 'Read', jobs: [{ ...inPod, name: 'read', steps: [read] }] },
          ],
        },
      },
    })
    const build = await runBuild(leader, pipelineId)
    expect(outcome(build)).toMatchObject({ state: 'success' })
    expect(await logOf(leader, pipelineId, build, 'read')).toContain('hello')
    await expect.poll(() => namespace.kubectl(['get', 'jobs', '--output', 'name'])).toBe('')
  })
})
