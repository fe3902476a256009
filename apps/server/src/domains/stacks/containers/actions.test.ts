import { audit } from '@gantry/contract/audit/audit'
import { containers } from '@gantry/contract/stacks/containers/containers'
import { expect, test } from 'vitest'
import * as kinds from '../../../adapters/kube/resources.ts'
import { runningContainer } from '../../../../test/running-container.ts'
import { sandboxApp } from '../../../../test/sandbox-app.ts'

const place = await sandboxApp()

test.concurrent('start, restart and removal of a container need separate permissions, which a refusal names', async () => {
  const { team, envId, podId } = await runningContainer(place)
  const params = { teamId: team.id, envId, id: podId }
  const operator = await team.member(['stack_container_operate'])
  const remover = await team.member(['stack_container_delete'])
  for (const call of [containers.start, containers.restart])
    await expect(remover.call(call, { params })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('“Start and restart single containers”'),
    })
  await expect(operator.call(containers.remove, { params })).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('“Remove single containers”'),
  })
})

test.concurrent('a restart replaces the pod, and is in the audit log', async () => {
  const { team, envId, id, podId, podName, until } = await runningContainer(place)
  const operator = await team.member(['stack_container_operate'])
  await operator.call(containers.restart, { params: { teamId: team.id, envId, id: podId } })
  const [next] = await until(id, (all) => all.some((one) => one.podId !== podId && one.ready) && all.length === 1)
  expect(next?.podName).not.toBe(podName)
  const { items } = await place.app.admin.call(audit.search, { query: { msg: podName } })
  expect(items).toMatchObject([{ apiValue: 'container.restart' }])
})

test.concurrent('starting a running container is refused, and one that waits after a crash is started', async () => {
  const runs = await runningContainer(place)
  const start = (of: typeof runs) =>
    of.team.leader.call(containers.start, { params: { teamId: of.team.id, envId: of.envId, id: of.podId } })
  await expect(start(runs)).rejects.toMatchObject({ status: 409, key: 'stacks-container-runs' })
  const crashes = await runningContainer(
    place,
    { environment: [{ name: 'SANDBOX_CRASH', value: '1' }] },
    { ready: false },
  )
  // each wait is twice as long: the second one is long enough for a busy machine
  const [waits] = await crashes.until(crashes.id, (all) =>
    all.some(({ state, restarts }) => state === 'CrashLoopBackOff' && restarts >= 2),
  )
  await start({ ...crashes, podId: waits?.podId ?? '' })
  await crashes.until(crashes.id, (all) => all.length > 0 && all.every(({ podId }) => podId !== waits?.podId))
})

test.concurrent('a pod that belongs to no workload is not restarted', async ({ expect }) => {
  const { team, envId, podId } = await runningContainer(place)
  const { items } = await place.direct.list(kinds.pods)
  const found = items.find(({ metadata }) => metadata?.uid === podId)
  const namespace = found?.metadata?.namespace ?? ''
  // with its hash the replica set would adopt the pod
  const { 'pod-template-hash': _, ...labels } = found?.metadata?.labels ?? {}
  await place.direct.create(kinds.pods, {
    metadata: { name: 'alone', namespace, labels },
    spec: {
      containers: [
        { name: 'c', image: 'registry.example.test/web:1', resources: { limits: { cpu: '10m', memory: '16Mi' } } },
      ],
    },
  })
  await expect
    .poll(async () => {
      const uid = (await place.direct.find(kinds.pods, { name: 'alone', namespace }))?.metadata?.uid ?? ''
      return team.leader
        .call(containers.restart, { params: { teamId: team.id, envId, id: uid } })
        .catch((error: { key?: string }) => error.key)
    })
    .toBe('stacks-pod-alone')
})
