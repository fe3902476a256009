import { harborContents } from '@gantry/contract/harbor/contents'
import { harborProjects, namespaces } from '@gantry/contract/harbor/projects'
import { pullSecrets } from '@gantry/contract/harbor/pull-secrets'
import { replications } from '@gantry/contract/harbor/replication'
import { harbors } from '@gantry/contract/harbor/servers'
import type { Thing } from './pool.ts'
import type { Place, Set } from './story.ts'

/** Projects of a Harbor with images: one for each team, and for ours every call about them. */
export async function useHarbor({ run, world, roles }: Set, { side, team, leader }: Place): Promise<void> {
  const { admin } = roles
  const { access, push } = world.harbor
  const server = { ...access, name: run.fresh('nobodys') }
  const { id } = await run.make(admin, harbors.create, { body: server })
  const params = { id }
  const name = () =>
    `fuzz-${run
      .fresh('nobodys')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')}`.slice(0, 30)
  async function project(): Promise<{ projectId: number; name: string }> {
    const made = await run.make(admin, harborProjects.create, { params, body: { name: name() } })
    const body = { projectId: made.projectId, teams: [team] }
    await run.make(admin, harborProjects.assign, { params, body })
    return made
  }
  const [one, other] = [await project(), await project()]
  for (const tag of ['1', '2', '3']) for (const path of ['web', 'api']) await push(`${one.name}/${path}`, tag)
  const repo = `${one.name}/web`
  const { items } = await run.make(leader, namespaces.list, { params: { tenantId: team } })
  const values = { team, harbor: id, harborProject: one.projectId, harborNamespace: items[0]?.id ?? 0 }
  const within: Thing = { side, values }
  run.pool.add(within)
  if (side !== 'ours') return
  const { projectId } = one
  await run.make(admin, harbors.verify, { body: access })
  await run.make(admin, harbors.update, { params, body: server })
  await run.make(admin, harbors.makeDefault, { params })
  await run.make(admin, harborProjects.publicity, { params: { id, projectId }, query: { public: 'true' } })
  const listed = await run.make(leader, harborContents.tags, { params, query: { repo, projectId } })
  const digests = listed.items.map(({ digest }) => digest).join(',')
  await run.make(leader, harborContents.scans, { params, query: { repo, digests } })
  await run.make(leader, harborProjects.rules, { params: { id, projectId } })
  await run.make(leader, harborContents.report, { params, query: { repo, digest: digests.slice(0, 71) } })
  await run.make(leader, harborContents.scan, { params, body: { repo, digest: digests.slice(0, 71) } })
  await run.make(leader, harborContents.uses, { params, query: { repo, digest: digests.slice(0, 71) } })
  await run.make(leader, harborContents.layer, { params, query: { repo, tag: '1' } })
  await run.make(leader, namespaces.sync, { params: { team, harbor: id } })
  const copy = await run.make(leader, replications.start, {
    params,
    body: { images: [{ repo, tag: '1' }], target: { harborId: id, projectId: other.projectId } },
  })
  run.pool.add({ side, values: { ...values, replication: copy.id } })
  await run.make(leader, replications.stop, { params: { id, replicationId: copy.id } })
  await run.make(leader, harborContents.removeTag, { params, query: { repo, projectId, tag: '2' } })
  await run.make(leader, harborContents.removeTags, { params, body: { projectId, repo, tags: ['3'] } })
  await run.make(leader, harborContents.removeRepositories, {
    params,
    query: { projectId },
    body: [`${one.name}/api`],
  })
  await run.make(leader, pullSecrets.synchronize, {})
  const spare = await run.make(admin, harborProjects.create, { params, body: { name: name() } })
  await run.make(admin, harborProjects.remove, { params: { id, projectId: spare.projectId } })
  const gone = items.find((namespace) => namespace.projectId === other.projectId)
  await run.make(leader, namespaces.remove, { params: { tenantId: team, namespaceId: gone?.id ?? 0 } })
  const { id: lone } = await run.make(admin, harbors.create, { body: { ...server, name: run.fresh('nobodys') } })
  await run.make(admin, harbors.remove, { params: { id: lone } })
}
