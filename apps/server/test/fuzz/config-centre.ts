import { configHistory } from '@gantry/contract/config-centre/history'
import { configEntries, configProfiles } from '@gantry/contract/config-centre/profiles'
import { configProjects } from '@gantry/contract/config-centre/projects'
import { configTemplates } from '@gantry/contract/config-centre/templates'
import { services } from '@gantry/contract/stacks/services'
import type { Thing } from './pool.ts'
import type { Place, Set } from './story.ts'

/** A team's configurations with a secret, read by a service; two of each kind, so that one may be deleted. */
export async function configure({ run }: Set, { side, leader, team }: Place, inStack: Thing): Promise<void> {
  const within: Thing = { side, values: { team } }
  const inTeam = { teamId: team }
  const fresh = () => run.fresh(side)
  const { name: project } = await run.make(
    leader,
    configProjects.create,
    { params: inTeam, body: { name: fresh() } },
    within,
  )
  const ofProject: Thing = { side, values: { ...within.values, configProject: project } }
  const params = { ...inTeam, name: project }
  const profile = () => run.make(leader, configProfiles.create, { params, body: { name: fresh() } }, ofProject)
  const template = (content: string) =>
    run.make(leader, configTemplates.create, { params, body: { name: fresh(), content } }, ofProject)
  const { uuid, name: profileName } = await profile()
  const one = { params: { ...inTeam, uuid } }
  const ofProfile: Thing = { side, values: { ...ofProject.values, configProfile: uuid } }
  const put = (call: typeof configEntries.add, key: string, value: string, secret = false) =>
    run.make(leader, call, { ...one, body: { key, value, secret } }, ofProfile)
  for (const key of ['HOST', 'PORT', 'OLD']) await put(configEntries.add, key, fresh())
  await put(configEntries.add, 'PASSWORD', run.secret(), true)
  await put(configEntries.update, 'HOST', fresh())
  await put(configEntries.update, 'PASSWORD', run.secret(), true)
  await run.make(leader, configEntries.remove, { ...one, query: { key: 'OLD' } }, ofProfile)
  const { items } = await run.make(leader, configHistory.list, one, ofProfile)
  // the revision before the key was deleted
  const at = { params: { ...one.params, revision: items[1]?.revision ?? 0 } }
  const { current } = await run.make(leader, configHistory.compare, at, ofProfile)
  await run.make(leader, configHistory.returnTo, { ...at, body: { current } }, ofProfile)
  await run.make(
    leader,
    configProfiles.update,
    { ...one, body: { name: profileName, description: fresh() } },
    ofProfile,
  )
  await run.make(leader, configProfiles.export, { ...one, query: { format: 'properties' } }, ofProfile)
  const file = { query: { name: 'more.properties' }, upload: Buffer.from(`MORE=${fresh()}\n`) }
  await run.make(leader, configProfiles.import, { ...one, ...file }, ofProfile)
  const text = await template('host=${HOST}\npassword=${PASSWORD}\n')
  const ofTemplate: Thing = { side, values: { ...ofProject.values, configTemplate: text.uuid } }
  const body = { name: text.name, content: 'at=${HOST}:${PORT} as ${PASSWORD}\n' }
  await run.make(leader, configTemplates.update, { params: { ...inTeam, uuid: text.uuid }, body }, ofTemplate)
  const rendered = { params: { ...inTeam, templateId: text.uuid } }
  await run.make(leader, configTemplates.rendered, rendered, ofTemplate)
  const reads = { project, profile: profileName, templates: [{ template: text.name, path: '/etc/app.conf' }] }
  await run.make(
    leader,
    services.create,
    {
      params: { ...inTeam, stackId: Number(inStack.values.stack), serviceName: fresh() },
      body: {
        image: 'registry.example.test/web:1',
        resources: { cpu: '0.1', memory: '32Mi' },
        configuration: reads,
      },
    },
    inStack,
  )
  const [lone, bare] = [await profile(), await template('')]
  await run.make(leader, configProfiles.remove, { params: { ...inTeam, uuid: lone.uuid } }, ofProject)
  await run.make(leader, configTemplates.remove, { params: { ...inTeam, uuid: bare.uuid } }, ofProject)
  const copy = await run.make(leader, configProjects.clone, { params, body: { name: fresh() } }, ofProject)
  await run.make(leader, configProjects.remove, { params: { ...inTeam, name: copy.name } }, within)
}
