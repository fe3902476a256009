import { randomBytes } from 'node:crypto'
import { tracingSources } from '@gantry/contract/tracing/sources'
import { afterAll } from 'vitest'
import { createJaeger } from '../src/adapters/jaeger/jaeger.ts'
import { createKiali } from '../src/adapters/kiali/kiali.ts'
import { createOutbound } from '../src/adapters/outbound/outbound.ts'
import { jsonb } from '../src/db/json.ts'
import { seal } from '../src/kernel/secrets/secrets.ts'
import { testApp } from './test-app.ts'

/** A cluster, never called, of two teams, each with a stack of one service `web`. Stopped at the end of the file. */
export async function tracedCluster() {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  afterAll(() => outbound.close())
  const app = await testApp({ ports: { jaeger: createJaeger(outbound), kiali: createKiali(outbound) } })
  const { uuid: env } = await app.db
    .insertInto('environment')
    .values({ name: 'lab', server: 'https://lab.example.test', address: seal(app.ctx(), '{}') })
    .returning('uuid')
    .executeTakeFirstOrThrow()

  // unique, because a real server keeps the data of earlier runs
  const run = randomBytes(4).toString('hex')
  async function teamWith(stackName: string) {
    const team = await app.team()
    await app.db.insertInto('environment_team').values({ environment: env, team_id: team.id }).execute()
    const namespace = `${team.name}-${stackName}-${run}`
    const stack = await app.db
      .insertInto('stack')
      .values({ team_id: team.id, environment: env, name: stackName, namespace, actor: 'admin', state: 'running' })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    await app.db.updateTable('environment_namespace').set({ held: true }).where('stack_uuid', '=', stack.uuid).execute()
    const { id: service } = await app.db
      .insertInto('service')
      .values({ stack_id: stack.id, name: 'web', state: 'stable', spec: jsonb({}), actor: 'admin' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { team, stack, service, namespace, params: { teamId: team.id, envId: env, stackName } }
  }
  const [mine, theirs] = [await teamWith('shop'), await teamWith('bank')]
  const connect = (kind: 'jaeger' | 'kiali', body: object) =>
    app.admin.call(tracingSources.set, { params: { env, kind }, body })
  return { app, env, mine, theirs, connect }
}
