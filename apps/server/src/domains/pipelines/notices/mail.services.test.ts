import { notificationRules } from '@gantry/contract/notifications/rules'
import { builds } from '@gantry/contract/pipelines/builds'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { mail } from '@gantry/contract/settings/mail'
import { afterAll, describe, expect, test } from 'vitest'
import { testPipeline } from '../../../../test/build-agent.ts'
import { labService } from '../../../../test/lab.ts'
import { testApp } from '../../../../test/test-app.ts'
import { createOutbound } from '../../../adapters/outbound/outbound.ts'
import { createMail } from '../../../adapters/smtp/smtp.ts'
import { tellDue } from './tell.service.ts'

const lab = labService('smtp')

describe.skipIf(lab === undefined)('a notification rule and a real mail server (needs the lab’s smtp)', async () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'] })
  afterAll(() => outbound.close())
  const app = await testApp({ ports: { mail: createMail(outbound) } })

  test('the users who may review a build get an email that links to it, and the user who triggered it gets none', async () => {
    const team = await app.team()
    const seeing = ['pipeline_pipeline_view', 'pipeline_build_view', 'pipeline_review_operate']
    const [reviewer, asker] = [await team.member(seeing), await team.member([...seeing, 'pipeline_build_execute'])]
    const body = {
      enabled: true,
      host: lab?.['SMTP_HOST'] ?? '',
      port: Number(lab?.['SMTP_PORT'] ?? 1),
      security: 'none' as const,
      userName: lab?.['SMTP_USER'] ?? '',
      password: lab?.['SMTP_PASSWORD'] ?? '',
      from: 'gantry@example.test',
      fromName: 'Gantry',
      lang: 'en' as const,
    }
    await app.admin.call(mail.set, { body })
    const pipeline = await testPipeline(app, team)
    const params = { appId: pipeline.appId, pipelineId: pipeline.id }
    const setting = await team.leader.call(pipelines.setting, { params })
    const review = { count: 1, users: [reviewer.id, asker.id], roles: [] }
    await team.leader.call(pipelines.setSetting, { params, body: { ...setting, review } })
    await team.leader.call(notificationRules.create, {
      params: { teamId: team.id },
      body: { name: 'reviews', events: ['build.waiting'], channels: ['mail'], deciders: true },
    })
    await asker.call(builds.trigger, { params: { id: pipeline.id }, body: {} })
    await tellDue(app.ctx())
    await app.drainJobs()

    const all = (await (await fetch(lab?.['SMTP_MESSAGES_URL'] ?? '')).json()) as {
      to: string[]
      subject: string
      text: string
    }[]
    const to = (name: string) => all.filter((one) => one.to.includes(`${name}@example.test`))
    expect(to(reviewer.name)).toMatchObject([{ subject: `Gantry: ${pipeline.projectName} #1 waits for a decision` }])
    expect(to(reviewer.name)[0]?.text).toContain(`/pipeline_id/${pipeline.id}/history/1/info`)
    expect(to(asker.name)).toEqual([])
  })
})
