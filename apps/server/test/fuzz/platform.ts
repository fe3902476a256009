import { artifactRepository } from '@gantry/contract/artifact-repository/artifact-repository'
import { backups } from '@gantry/contract/backups/backups'
import { jiraConfigs } from '@gantry/contract/trackers/jira'
import { until } from '../own-namespace.ts'
import type { Thing } from './pool.ts'
import { type Set } from './story.ts'

/** Two backups of the database; one is kept as a target of calls. Random calls create no more of them. */
export async function backUp({ run, roles: { admin } }: Set): Promise<void> {
  const { nextAt: _, ...settings } = await run.make(admin, backups.settings)
  await run.make(admin, backups.saveSettings, { body: settings })
  for (const stays of [true, false]) {
    const { id } = await run.make(admin, backups.create)
    const one = { params: { id } }
    const within: Thing = { side: 'nobodys', values: { backup: id } }
    await until('the backup', async () => {
      const { items } = await run.make(admin, backups.list, { query: {} })
      return items.some((file) => file.id === id && file.state === 'done') || undefined
    })
    await run.make(admin, stays ? backups.file : backups.remove, one, within)
  }
}

/** The package repository of builds, and the issue trackers. */
export async function connect({ run, world, roles: { admin } }: Set): Promise<void> {
  const repository = { url: world.outside.registryUrl, userName: 'bot', password: run.secret() }
  await run.make(admin, artifactRepository.set, { body: repository })
  const { jira } = world.outside
  jira.token = run.secret()
  const access = { url: jira.url, kind: 'data-center' as const, token: jira.token }
  const body = () => ({ ...access, name: run.fresh('nobodys'), projects: ['SHOP'] })
  await run.make(admin, jiraConfigs.verify, { body: access })
  const { id } = await run.make(admin, jiraConfigs.create, { body: body() })
  const within: Thing = { side: 'nobodys', values: { jira: id } }
  await run.make(admin, jiraConfigs.update, { params: { id }, body: body() }, within)
  await run.make(admin, jiraConfigs.check, { params: { id } }, within)
  await run.make(admin, jiraConfigs.projects, { query: { jiraConfigId: id } }, within)
  await run.make(admin, jiraConfigs.transitions, { query: { jiraConfigId: id } }, within)
  const spare = await run.make(admin, jiraConfigs.create, { body: body() })
  await run.make(admin, jiraConfigs.remove, { params: { id: spare.id } })
}
