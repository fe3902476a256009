import { agents } from '@gantry/contract/agents/agents'
import { buildImages } from '@gantry/contract/build-images/build-images'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { terminals } from '@gantry/contract/pipelines/terminals'
import { teams } from '@gantry/contract/teams/teams'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import { gitServer, type GitServer } from '../apps/agent/test/git-server.ts'
import { images, type Namespace, ownNamespace, whyNoKube } from '../apps/agent/test/kube.ts'
import { connectTerminal } from '../apps/server/test/build-terminal.ts'
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

  test('starts by the shown lines; jobs in pods fetch sources, pass files on and have terminals', async () => {
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

    const { id: waiting } = await leader.call(definitions.create, {
      body: {
        appId,
        projectName: 'waiting',
        definition: {
          stages: [
            {
              name: 'Wait',
              jobs: [
                {
                  ...inPod,
                  name: 'wait',
                  steps: [{ type: 'script', name: 'wait', run: 'echo kept > file; echo here; sleep 600' }],
                },
              ],
            },
          ],
        },
      },
    })
    const variables = [{ name: 'TOKEN', value: 'hunter2-and-more', secret: true }]
    await leader.call(pipelines.setVariables, { params: { id: waiting }, body: { variables } })
    const { number } = await leader.call(builds.trigger, { params: { id: waiting }, body: {} })
    const params = { id: waiting, number, job: 0 }
    const soon = { timeout: 30_000 }
    await expect
      .poll(
        async () => (await leader.call(builds.log, { params: { ...params, stage: 'Wait' }, query: {} })).lines,
        soon,
      )
      .toMatchObject([{ text: 'here' }])
    const open = async () => {
      const { url, ticket } = await leader.call(terminals.open, { params })
      return connectTerminal(product.url, url, ticket)
    }
    const shell = await open()
    shell.resize(91, 33)
    shell.type('echo "is $(cat file) $TOKEN"; stty size; test -t 1 && echo is$((1 + 1))tty\r')
    await expect.poll(shell.output, soon).toContain('is2tty')
    expect(shell.output()).toContain('is kept ******')
    expect(shell.output()).toContain('33 91')
    shell.type('exit 3\r')
    await shell.closed
    expect(shell.message()).toBe('')

    const left = await open()
    left.type('(setsid sleep 4321 &); sleep 4322 & echo on$((1 + 1))\r')
    await expect.poll(left.output, soon).toContain('on2')
    left.ws.close()
    await left.closed
    const last = await open()
    const count = async () => {
      last.type('echo "left $(ps | grep -c "[s]leep 432")."\r')
      return last.output()
    }
    await expect.poll(count, soon).toContain('left 0.')
    await leader.call(builds.stop, { params: { id: waiting, number } })
    await last.closed
    expect(last.message()).toBe('The step has ended, and this terminal with it.')
    await expect.poll(() => namespace.kubectl(['get', 'jobs', '--output', 'name']), soon).toBe('')
  })
})
