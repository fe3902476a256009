import { dockerfiles } from '@gantry/contract/dockerfiles/dockerfiles'
import { notificationRules } from '@gantry/contract/notifications/rules'
import { builds } from '@gantry/contract/pipelines/builds'
import { credentials } from '@gantry/contract/pipelines/credentials'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { running } from '@gantry/contract/pipelines/running'
import { triggers } from '@gantry/contract/pipelines/triggers'
import { teams } from '@gantry/contract/teams/teams'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import type { Caller } from '../caller.ts'
import { newUser } from '../product.ts'
import { stories, type Story } from '../story.ts'
import { field, kind, tellAll } from './kind.ts'

/** A colleague changes pipelines: a team member's idle browser shows it. */
stories('the browser beside, about pipelines', (suite, { language }) => {
  const leader = `beside-build-${language}`
  let teamId = 0
  let appId = 0
  let pipelineId = 0
  const call: Caller['call'] = (...given) => suite().product.admin.call(...given)
  const inTeam = () => ({ teamId })
  /** No agent has this label, so its builds stay queued. */
  const job = { name: 'run', labels: ['nowhere'], steps: [{ type: 'script' as const, name: 'run', run: 'true' }] }
  const definition = (stage = 'all') => ({ stages: [{ name: stage, jobs: [job] }] })
  const newPipeline = (projectName: string) =>
    call(definitions.create, { body: { appId, projectName, definition: definition() } })
  const rename = async (id: number, projectName: string) => {
    const params = { appId, pipelineId: id }
    const { revision: _, ...setting } = await call(pipelines.setting, { params })
    await call(pipelines.setSetting, { params, body: { ...setting, projectName } })
  }
  const stage =
    (name: string) =>
    ({ page }: Story) =>
      expect
        .poll(() =>
          page.locator('#content input').evaluateAll((inputs: HTMLInputElement[]) => inputs.map((one) => one.value)),
        )
        .toContain(name)
  const trigger = () => call(builds.trigger, { params: { id: pipelineId }, body: {} })
  const stop = (number: number) => call(builds.stop, { params: { id: pipelineId, number } })
  const buildIn = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number })
  const onPipeline = (rest: string) =>
    `/teams/${teamId}/cd/pipeline_group_id/${appId}/pipeline_id/${pipelineId}/${rest}`

  beforeAll(async () => {
    ;({ id: teamId } = await call(teams.create, { body: { name: leader } }))
    await newUser(suite().product, leader, { teamId, roleId: 'leader' })
    ;({ id: appId } = await call(groups.create, { params: inTeam(), body: { name: 'harbour' } }))
    ;({ id: pipelineId } = await newPipeline('tide'))
    await trigger()
  })

  const rows = [
    kind({
      what: 'pipelines',
      at: () => `/teams/${teamId}/cd`,
      add: () => newPipeline('lights'),
      shows: 'lights',
      change: ({ id }) => rename(id, 'lamps'),
      changed: 'lamps',
      remove: ({ id }) => call(pipelines.remove, { params: { appId, pipelineId: id }, query: { confirm: 'lamps' } }),
    }),
    kind({
      what: 'pipeline groups',
      at: () => `/teams/${teamId}/cd/pipeline-groups`,
      add: () => call(groups.create, { params: inTeam(), body: { name: 'lighthouse' } }),
      shows: 'lighthouse',
      change: ({ id }) => call(groups.update, { params: { id }, body: { name: 'lightship' } }),
      changed: 'lightship',
      remove: ({ id }) => call(groups.remove, { params: { id } }),
    }),
    kind({
      what: 'a pipeline’s page',
      at: () => onPipeline('history'),
      add: () => call(running.pause, { params: { id: pipelineId }, body: { paused: true, reason: 'a storm' } }),
      shows: (one) => one.page.getByText('a storm').first().waitFor(),
      change: () => rename(pipelineId, 'ebb'),
      changed: 'ebb',
    }),
    kind({
      what: 'triggers',
      at: () => `${onPipeline('setting')}?tab=triggers`,
      add: () =>
        call(triggers.create, {
          params: { id: pipelineId },
          body: { rule: { kind: 'schedule', cron: '5 4 * * *', zone: 'UTC' } },
        }),
      shows: (one) => one.page.getByText('5 4 * * *').first().waitFor(),
      remove: ({ id }) => call(triggers.remove, { params: { id: pipelineId, triggerId: id } }),
    }),
    kind({
      what: 'a build’s page',
      at: () => onPipeline('history/1/info'),
      add: () => stop(1),
      shows: ({ page, say }) => page.getByText(say('state-aborted'), { exact: true }).first().waitFor(),
    }),
    kind({
      what: 'builds of a team',
      at: () => `/teams/${teamId}/cd/builds`,
      add: trigger,
      shows: ({ page, say }) => buildIn(page, '#2').getByText(say('state-queued')).waitFor(),
      change: ({ number }) => stop(number),
      changed: ({ page, say }) => buildIn(page, '#2').getByText(say('state-aborted')).waitFor(),
    }),
    kind({
      what: 'builds of a pipeline',
      at: () => onPipeline('history'),
      add: trigger,
      shows: ({ page, say }) => buildIn(page, '#3').getByText(say('state-queued')).waitFor(),
      change: ({ number }) => stop(number),
      changed: ({ page, say }) => buildIn(page, '#3').getByText(say('state-aborted')).waitFor(),
    }),
    kind({
      what: 'builds that are deleted',
      at: () => onPipeline('history'),
      add: async () => undefined,
      shows: '#3',
      remove: () => call(builds.remove, { params: { id: pipelineId, number: 3 } }),
    }),
    kind({
      what: 'the definition of a pipeline',
      at: () => onPipeline('orch-pipeline'),
      add: () => call(definitions.set, { params: { appId, pipelineId }, body: definition('moor') }),
      shows: stage('moor'),
      change: () => call(definitions.set, { params: { appId, pipelineId }, body: definition('cast off') }),
      changed: stage('cast off'),
    }),
    kind({
      what: 'versions of a definition',
      at: () => onPipeline('versions'),
      add: () => call(definitions.set, { params: { appId, pipelineId }, body: definition('all') }),
      // the one the pipeline was created with, its new name, and three definitions
      shows: /^5/,
    }),
    kind({
      what: 'the settings of a pipeline',
      at: () => onPipeline('setting'),
      add: () => rename(pipelineId, 'neap'),
      shows: field(({ say }) => say('pipelines-ui-name'), 'neap'),
      change: () => rename(pipelineId, 'ebb'),
      changed: field(({ say }) => say('pipelines-ui-name'), 'ebb'),
    }),
    kind({
      what: 'credentials',
      at: () => `/teams/${teamId}/cd/credentials`,
      add: () =>
        call(credentials.create, {
          params: inTeam(),
          body: { name: 'key', kind: 'password', host: 'git.example.org', username: 'ci', secret: 'quiet' },
        }),
      shows: 'key',
      change: ({ id }) =>
        call(credentials.update, {
          params: { ...inTeam(), credentialId: id },
          body: { name: 'code', kind: 'password', host: 'git.example.org', username: 'ci', secret: 'quiet' },
        }),
      changed: 'code',
      remove: ({ id }) => call(credentials.remove, { params: { ...inTeam(), credentialId: id } }),
    }),
    kind({
      what: 'notification rules',
      at: () => `/teams/${teamId}/cd/notification-rules`,
      add: () =>
        call(notificationRules.create, {
          params: inTeam(),
          body: { name: 'bells', events: ['build.failed'], channels: ['bell'], triggerer: true },
        }),
      shows: 'bells',
      remove: ({ id }) => call(notificationRules.remove, { params: { ...inTeam(), ruleId: id } }),
    }),
    kind({
      what: 'Dockerfiles',
      at: () => `/teams/${teamId}/dockerfile`,
      add: () => call(dockerfiles.create, { params: inTeam(), body: { name: 'buoy', content: 'FROM scratch' } }),
      shows: 'buoy',
      change: ({ id }) =>
        call(dockerfiles.update, { params: inTeam(), body: { id, name: 'beacon', content: 'FROM scratch' } }),
      changed: 'beacon',
      remove: ({ id }) => call(dockerfiles.remove, { params: { ...inTeam(), dockerfileId: id } }),
    }),
    kind({
      what: 'the dashboard',
      at: () => `/teams/${teamId}/dashboard`,
      add: () => call(builds.trigger, { params: { id: pipelineId }, body: {} }),
      shows: /^ebb #/,
      change: () => rename(pipelineId, 'flow'),
      changed: /^flow #/,
    }),
  ]

  tellAll(rows, () => suite().enter(leader))
})
