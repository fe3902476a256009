import { protocol } from '@gantry/contract/agents/protocol'
import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import type { Work } from '@gantry/contract/agents/work'
import { session } from '@gantry/contract/auth/session'
import { clusters } from '@gantry/contract/clusters/clusters'
import { hosts } from '@gantry/contract/clusters/hosts'
import { registries } from '@gantry/contract/images/registries'
import { artifacts } from '@gantry/contract/pipelines/artifacts'
import { builds } from '@gantry/contract/pipelines/builds'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { products } from '@gantry/contract/products/products'
import { quotas } from '@gantry/contract/quotas/quotas'
import { sample } from '@gantry/contract/sample/sample'
import { services } from '@gantry/contract/stacks/services'
import { stacks } from '@gantry/contract/stacks/stacks'
import { roles as teamRoles } from '@gantry/contract/teams/roles'
import { teams } from '@gantry/contract/teams/teams'
import { tokens } from '@gantry/contract/tokens/tokens'
import { users } from '@gantry/contract/users/users'
import { until } from '../own-namespace.ts'
import { enlist } from './people.ts'
import type { Thing } from './pool.ts'
import type { Role, Roles } from './roles.ts'
import type { Run } from './runner.ts'
import type { World } from './world.ts'

/** What the state of a run is built with. */
export interface Set {
  run: Run
  world: World
  roles: Roles
  root: Role
}

export interface Place {
  side: 'ours' | 'theirs'
  leader: Role
  /** Account of the leader. */
  user: number
  team: number
  values: Thing['values']
}

const known = (side: Thing['side'], values: Thing['values']): Thing => ({ side, values })

async function foundTeam({ run, roles, root }: Set, side: Place['side'], leader: Role): Promise<Place> {
  const name = run.fresh(side)
  const { id: team } = await run.make(roles.admin, teams.create, { body: { name, description: run.fresh(side) } })
  const user = await enlist(run, root, leader, { teamId: team })
  await run.make(roles.admin, teams.assignRole, { params: { id: team, userId: user }, body: 0 })
  run.pool.add(known(side, { team, user }))
  return { side, leader, user, team, values: { team } }
}

/** All callers: our team's members, another team's, an administrator, and those who lost their access. */
export async function gather(set: Set): Promise<{ ours: Place; theirs: Place; elsewhere: number }> {
  const { run, world, roles, root } = set
  await enlist(run, root, roles.admin, { admin: true })
  const ours = await foundTeam(set, 'ours', roles.leader)
  const theirs = await foundTeam(set, 'theirs', roles.other)

  const member = await enlist(run, root, roles.member, { teamId: ours.team })
  const inTeam = { teamId: ours.team }
  const role = await run.make(roles.leader, teamRoles.create, {
    params: inTeam,
    query: { roleName: run.fresh('ours'), template: 'maintainer' },
  })
  await run.make(roles.leader, teamRoles.setPermissions, {
    params: { ...inTeam, roleId: role.id },
    body: (await run.make(roles.leader, teamRoles.permissions, { params: { ...inTeam, roleId: role.id } })).map(
      ({ name }) => ({ name, enable: true }),
    ),
  })
  await run.make(roles.leader, teams.assignRole, { params: { id: ours.team, userId: member }, body: role.id })
  run.pool.add(known('ours', { team: ours.team, role: role.id, user: member }))
  run.pool.add(known('ours', { team: ours.team, user: await enlist(run, root, roles.idle, { teamId: ours.team }) }))
  // a user without a team cannot log in
  const elsewhere = await run.make(roles.admin, teams.create, { body: { name: run.fresh('nobodys') } })
  const away = { teamId: elsewhere.id }
  run.pool.add(known('nobodys', { team: elsewhere.id }))
  await enlist(run, root, roles.outsider, away)

  roles.token.token = (
    await run.make(roles.leader, tokens.create, { params: { ...inTeam, alias: run.fresh('ours') }, body: {} })
  ).token
  roles.agent.token = world.agentToken

  const banned = await enlist(run, root, roles.banned, away)
  delete roles.banned.renew
  await run.make(roles.admin, users.approve, { params: { id: banned }, query: { enable: 'false' } })
  await enlist(run, root, roles.ended, away)
  delete roles.ended.renew
  await run.make(roles.ended, session.logout)
  return { ours, theirs, elsewhere: elsewhere.id }
}

/** The product's sandbox, which everybody shares, and a cluster that only our team uses. */
export async function joinClusters({ run, world, roles }: Set, ours: Place, theirs: Place) {
  const { items } = await run.make(roles.admin, clusters.list, { query: {} })
  const shared = items.find(({ sandbox }) => sandbox)?.uuid ?? ''
  const { uuid: dialled } = await run.make(roles.admin, clusters.create, {
    body: { name: run.fresh('nobodys'), agent: true },
  })
  await run.make(roles.admin, clusters.manifest, { params: { env: dialled } })
  const { uuid: alone } = await run.make(
    roles.admin,
    clusters.create,
    { body: { name: run.fresh('nobodys'), kubeconfig: world.kubeconfig, teamIds: [ours.team] } },
    known('ours', {}),
  )
  await run.make(roles.admin, clusters.check, { body: { kubeconfig: world.kubeconfig } })
  for (const { side, team } of [ours, theirs]) {
    await run.make(roles.admin, clusters.assign, { params: { env: shared }, query: { tenant: team } })
    run.pool.add(known(side, { team, env: shared }))
  }
  const hard = { cpu: 20, memory: 40 }
  await run.make(roles.admin, quotas.set, { params: { tenant: ours.team }, body: { envUuid: alone, hard } })
  run.pool.add(known('nobodys', { env: shared }))
  run.pool.add(known('ours', { team: ours.team, env: alone }))
  const found = await until('the hosts of both clusters', async () => {
    const all = (await run.make(roles.admin, hosts.list, { query: { all: 'true', pageSize: -1 } })).items
    return all.some(({ envUuid }) => envUuid === alone) && all.some(({ envUuid }) => envUuid === shared)
      ? all
      : undefined
  })
  const own = found.filter(({ envUuid }) => envUuid === alone)
  return { shared, alone, hosts: own.map(({ name }) => name) }
}

/** Objects of a team: a registry, a pipeline with variables, a product, a stack with a service whose pod runs. */
export async function furnish({ run, world }: Set, { side, leader, team, values }: Place, env: string) {
  const inTeam = { teamId: team }
  const within: Thing = { side, values }
  const name = () => run.fresh(side)
  const registry = await run.make(
    leader,
    registries.create,
    {
      params: inTeam,
      body: { name: name(), url: world.outside.registryUrl, username: name(), password: run.secret() },
    },
    within,
  )
  const inRegistry = { ...inTeam, registryId: registry.id }
  await run.make(
    leader,
    registries.tags,
    { params: inRegistry, query: { repo: 'demo/hello' } },
    { side, values: { team, registry: registry.id } },
  )
  await run.make(
    leader,
    registries.update,
    { params: inRegistry, body: { name: name(), url: world.outside.registryUrl, password: run.secret() } },
    { side, values: { team, registry: registry.id } },
  )
  const group = await run.make(
    leader,
    groups.create,
    { params: inTeam, body: { name: name(), description: name() } },
    within,
  )
  const variables = [
    { name: 'OPEN', value: name() },
    { name: 'CLOSED', value: run.secret(), secret: true },
  ]
  await run.make(
    leader,
    groups.setVariables,
    { params: { id: group.id }, body: { variables } },
    { side, values: { team, group: group.id } },
  )
  const product = await run.make(
    leader,
    products.create,
    { params: { team }, body: { name: name(), description: name() } },
    within,
  )
  const stack = await run.make(
    leader,
    stacks.create,
    {
      params: inTeam,
      body: { name: name(), description: name(), envId: env, productId: product.id, quota: { cpu: 1, memory: 2 } },
    },
    within,
  )
  const spec = {
    image: 'registry.example.test/web:1',
    environment: variables,
    resources: { cpu: '0.1', memory: '64Mi' },
    ports: [{ port: 8080 }],
  }
  const inStack: Thing = { side, values: { team, env, stack: stack.id, stackUuid: stack.uuid, stackName: stack.name } }
  const service = await run.make(
    leader,
    services.create,
    { params: { ...inTeam, stackId: stack.id, serviceName: name() }, body: spec },
    inStack,
  )
  const simulated = (await run.make(leader, registries.list, { params: inTeam }, within)).find(({ sandbox }) => sandbox)
  const definition = {
    stages: [
      {
        name: 'only',
        steps: [
          { type: 'script' as const, name: 'make', run: `echo ${name()}` },
          { type: 'deploy' as const, name: 'deploy', stackUuid: stack.uuid, service: name(), create: {} },
          { type: 'image' as const, name: 'image', registryId: simulated?.id ?? 0, repository: `team-${team}/web` },
        ],
      },
    ],
  }
  const pipeline = await run.make(
    leader,
    definitions.create,
    { body: { appId: group.id, projectName: name(), description: name(), definition, variables } },
    { side, values: { team, group: group.id } },
  )
  const made = { team, group: group.id, pipeline: pipeline.id }
  run.pool.add(known(side, { team, registry: registry.id }))
  run.pool.add(known(side, { team, product: product.id }))
  run.pool.add(known(side, made))
  run.pool.add(inStack)
  run.pool.add(
    known(side, {
      ...inStack.values,
      service: service.id,
      serviceName: service.name,
      serviceAndType: `${service.id}_business`,
    }),
  )
  return { inStack, service, spec, made, registry, definition }
}

const upload = (
  run: Run,
  agent: Role,
  endpoint: typeof protocol.artifact | typeof protocol.report | typeof stepProtocol.coverage | typeof stepProtocol.scan,
  path: string,
  text: string,
) => {
  return (within: Thing, { jobId, attempt }: Work) =>
    run.make(
      agent,
      endpoint,
      { params: { jobId, step: 0 }, query: { attempt, path }, upload: Buffer.from(text) },
      within,
    )
}

/** One build from its trigger to its end, run by an agent. */
export async function build(
  { run, roles }: Set,
  { side, leader }: Place,
  made: Thing['values'],
  registryId: number,
): Promise<void> {
  const { agent } = roles
  const id = Number(made.pipeline)
  for (const removed of [builds.remove, builds.removeMany]) {
    const { queueId, number } = await run.make(
      leader,
      builds.trigger,
      { params: { id }, body: {} },
      { side, values: made },
    )
    await run.make(leader, builds.cancel, { params: { id, queueId } }, { side, values: { ...made, queue: queueId } })
    const gone: Thing = { side, values: { ...made, build: number } }
    if (removed === builds.remove) await run.make(leader, builds.remove, { params: { id, number } }, gone)
    else await run.make(leader, builds.removeMany, { params: { id }, body: [number] }, gone)
  }
  const { number } = await run.make(leader, builds.trigger, { params: { id }, body: {} }, { side, values: made })
  const work = await claimed(run, agent, (one) => one.pipelineId === id)
  const { jobId, attempt } = work
  const inBuild: Thing = { side, values: { ...made, build: number, step: 0, stage: 'only', work: jobId, attempt } }
  const tell = (first: number, events: Parameters<typeof run.make<typeof protocol.events>>[2]) =>
    run.make(agent, protocol.events, { params: { jobId }, ...events }, inBuild)
  await tell(1, { body: { attempt, first: 1, events: [{ type: 'step', step: 0, state: 'building', at: 0 }] } })
  const line = `${run.fresh(side)} hello\n`
  const log = { params: { jobId, step: 0 }, query: { attempt, offset: 0 }, upload: Buffer.from(line) }
  await run.make(agent, protocol.log, log, inBuild)
  await upload(run, agent, protocol.artifact, `${run.fresh(side)}.txt`, run.fresh(side))(inBuild, work)
  const report = `<testsuite name="${run.fresh(side)}"><testcase name="a" time="0.1"/></testsuite>`
  await upload(run, agent, protocol.report, 'report.xml', report)(inBuild, work)
  await upload(run, agent, stepProtocol.coverage, 'lcov.info', `SF:${run.fresh(side)}.ts\nDA:1,1\n`)(inBuild, work)
  await upload(run, agent, stepProtocol.scan, 'scan.sarif', JSON.stringify({ runs: [] }))(inBuild, work)
  const image = {
    image: `images/${run.fresh(side)}`,
    tag: '1',
    digest: `sha256:${'a'.repeat(64)}`,
    size: 1,
    registryId,
  }
  await tell(2, {
    body: {
      attempt,
      first: 2,
      events: [
        { type: 'image', step: 0, ...image },
        { type: 'commit', commit: 'c0ffee', message: run.fresh(side) },
      ],
    },
  })
  await run.make(agent, stepProtocol.deploy, { params: { jobId, step: 1 }, query: { attempt } }, inBuild)
  await run.make(agent, stepProtocol.registryToken, { params: { jobId, step: 2 }, query: { attempt } }, inBuild)
  const logs = [{ step: 0, bytes: Buffer.byteLength(line) }]
  await tell(4, { body: { attempt, first: 4, events: [{ type: 'end', state: 'success', logs }] } })
  run.pool.add(inBuild)
  const [artifact] = await run.make(leader, artifacts.list, { params: { id, number } }, inBuild)
  run.pool.add(known(side, { ...inBuild.values, artifact: artifact?.id ?? 0 }))
}

/** The next work that fits; other work stays with the agent. */
export function claimed(run: Run, agent: Role, fits: (work: Work) => boolean): Promise<Work> {
  const self = { version: 'fuzz', osType: 'linux' as const, executors: ['process' as const], isolated: true }
  return until('the build', async () => {
    const { work } = await run.make(agent, protocol.claim, { body: { ...self, holding: [], free: 5, wait: 0 } })
    return work.find(fits)
  })
}

/** The sample, and its builds' access to its repository. */
export async function sampleOf({ run, roles }: Set, { side, leader, team, values }: Place): Promise<Work> {
  await run.make(leader, sample.create, { params: { teamId: team } }, { side, values })
  return claimed(run, roles.agent, ({ repository }) => repository?.url.includes(`/samples/${team}/`) ?? false)
}
