import { randomBytes } from 'node:crypto'
import { releases } from '@gantry/contract/helm/releases'
import { afterAll, describe, expect, test } from 'vitest'
import { chartRepository, greetingTemplate, slowHook } from '../../../../test/chart-repository.ts'
import { labCluster } from '../../../../test/lab.ts'
import { labApp } from '../../../../test/lab-app.ts'
import { addRepository, helmPorts, helmProgram } from '../../../../test/lab-helm.ts'
import { until } from '../../../../test/own-namespace.ts'
import { type ServerProcess, startServer } from '../../../../test/server-process.ts'
import { secretKey } from '../../../../test/test-app.ts'
import { testFolder } from '../../../../test/test-folder.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const program = labCluster() && helmProgram()

describe.skipIf(program === undefined)(
  'a server that is killed during a deployment on a real cluster (needs the lab’s kube, and helm)',
  async () => {
    // this server answers calls but runs no jobs: the killed process and its successor do
    const { app, kube, join, stack } = await labApp({ ports: helmPorts(program) })
    const repository = await chartRepository()
    let namespace = ''
    let server: ServerProcess | undefined
    afterAll(async () => {
      server?.end('SIGKILL')
      repository.close()
      if (namespace) await kube().remove(kinds.namespaces, { name: namespace })
    })
    const data = testFolder('killed-over-helm')
    const started = () =>
      startServer(app.database.url, {
        GANTRY_DATA: data,
        GANTRY_SECRET_KEY: secretKey,
        GANTRY_HELM: program ?? '',
        GANTRY_SANDBOX: 'off',
        GANTRY_EMBEDDED_AGENT: 'off',
        GANTRY_OUTBOUND_ALLOW: '127.0.0.0/8',
      })

    test('leaves a pending release, which the next server repairs', async () => {
      const files = { 'values.yaml': 'greeting: hello\n', 'templates/config.yaml': greetingTemplate }
      await repository.add('0.1.0', files)
      await repository.add('0.5.0', { ...files, 'templates/slow.yaml': slowHook })
      const team = await app.team(`killed-${randomBytes(3).toString('hex')}`)
      const envUuid = await join(team)
      const repositoryId = await addRepository(app, team.id, repository.url)
      server = await started()
      const shop = await stack(team, envUuid)
      ;({ namespace } = shop)

      const deploy = (version: string, greeting: string) =>
        team.leader.call(releases.deploy, {
          params: { tenantId: team.id },
          query: { envUuid, dryRun: 'false' },
          body: {
            name: 'kept',
            stackId: shop.id,
            repositoryId,
            chart: 'hello',
            version,
            values: `greeting: ${greeting}\n`,
          },
        })
      const { release } = await deploy('0.1.0', 'one')
      const read = () =>
        team.leader.call(releases.get, {
          params: { id: release?.id ?? 0, tenantId: team.id },
          query: { cluster: envUuid },
        })
      await until('it is deployed', async () => (await read()).state === 'deployed')
      await deploy('0.5.0', 'two')
      await until('helm waits for its hook', async () => (await read()).history[0]?.status === 'pending-upgrade')
      server.end('SIGKILL')
      expect(await server.ended).toBe('SIGKILL')
      expect(await read()).toMatchObject({ state: 'deploying', history: [{ status: 'pending-upgrade' }, {}] })

      server = await started()
      // the hook is released once the next run has created it again
      const hook = { namespace, name: 'kept-wait' }
      const before = (await kube().find(kinds.jobs, hook))?.metadata?.uid
      const mended = await until(
        'the next server mends it',
        async () => {
          const job = await kube().find(kinds.jobs, hook)
          if (job && job.metadata?.uid !== before && job.spec?.suspend === true)
            await kube()
              .merge(kinds.jobs, hook, { spec: { suspend: false } })
              .catch(() => undefined)
          const now = await read()
          return now.state === 'deployed' && now
        },
        90,
      )
      expect((await kube().get(kinds.configMaps, { namespace, name: 'kept' })).data).toEqual({ greeting: 'two' })
      expect(mended.history.map(({ status }) => status)).toEqual(['deployed', 'superseded'])
    })
  },
)
