import { stepProtocol } from '@gantry/contract/agents/step-protocol'
import { mail } from '@gantry/contract/settings/mail'
import { beforeAll, expect, test } from 'vitest'
import { jsonb } from '../../../db/json.ts'
import { runningBuild } from '../../../../test/build-agent.ts'
import { testApp } from '../../../../test/test-app.ts'

const app = await testApp()
let team: Awaited<ReturnType<typeof app.team>>
const settings = {
  enabled: true,
  host: 'smtp.example.test',
  port: 587,
  security: 'starttls' as const,
  userName: '',
  password: '',
  from: 'gantry@example.test',
  fromName: 'Gantry',
  lang: 'en' as const,
}
beforeAll(async () => {
  team = await app.team()
})

async function mailing(to: string[], texts: Record<string, string> = {}) {
  const step = { type: 'mail' as const, name: 'tell', to, subject: 'Released', text: 'It is there.' }
  const { agent, held, pipeline, number } = await runningBuild(app, team, [step])
  const ask = () =>
    agent.caller.call(stepProtocol.serve, {
      params: { jobId: held.jobId, step: 0 },
      query: { attempt: held.attempt },
      body: { texts },
    })
  const mails = () =>
    app.db
      .selectFrom('mail_outbox')
      .select(['recipient', 'subject', 'text', 'html', 'id'])
      .where('key', 'like', `step ${held.buildId} %`)
      .orderBy('id')
      .execute()
  return { ask, mails, name: pipeline.projectName, number }
}

test('the step says so if email is turned off', async () => {
  const { ask } = await mailing([team.leader.name])
  expect(await ask()).toMatchObject({ state: 'failed', reason: { key: 'pipelines-mail-off' } })
})

test('members and addresses get the text that the agent has filled in, once each, and the step waits for the mail server', async () => {
  await app.admin.call(mail.set, { body: settings })
  const texts = { subject: 'Released 1.2', text: 'Version <1.2>\n\nis there.' }
  const { ask, mails, name, number } = await mailing([team.leader.name, 'ops@example.org', 'ops@example.org'], texts)
  const answers = await Promise.all([ask(), ask()])
  expect(answers).toMatchObject([{ state: 'running' }, { state: 'running' }])
  const sent = await mails()
  expect(sent.map(({ recipient }) => recipient)).toEqual([`${team.leader.name}@example.test`, 'ops@example.org'])
  expect(sent[0]).toMatchObject({ subject: 'Released 1.2', html: expect.stringContaining('&lt;1.2&gt;') as string })
  expect(sent[0]?.text).toContain(`Sent by build #${number} of the pipeline ${name} of the team ${team.name}`)
  for (const { id } of sent)
    await app.db
      .updateTable('mail_outbox')
      .set({ state: 'sent', ended_at: new Date().toISOString() })
      .where('id', '=', id)
      .execute()
  expect(await ask()).toMatchObject({ state: 'success', log: [expect.anything(), 'Sent to ops@example.org'] })
  expect(await mails()).toHaveLength(2)
})

test('a name that is no member is reported, and a refusal of the mail server fails the step with its text', async () => {
  await app.admin.call(mail.set, { body: settings })
  const other = await app.team()
  const strange = await mailing([other.leader.name, team.leader.name])
  expect(await strange.ask()).toMatchObject({
    state: 'failed',
    reason: { key: 'pipelines-mail-unknown', vars: { names: other.leader.name } },
  })
  expect(await strange.mails()).toEqual([])
  const refused = await mailing(['gone@example.org'])
  await refused.ask()
  const problem = { key: 'mail-recipient-refused', vars: { host: 'h', to: 'gone@example.org', answer: 'no' } }
  const [row] = await refused.mails()
  await app.db
    .updateTable('mail_outbox')
    .set({ state: 'failed', problem: jsonb(problem) })
    .where('id', '=', row?.id ?? 0)
    .execute()
  expect(await refused.ask()).toMatchObject({ state: 'failed', reason: problem })
})
