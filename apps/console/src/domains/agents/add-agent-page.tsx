import { Input, Select } from 'antd'
import { agents, type Registration } from '@gantry/contract/agents/agents'
import { OsType } from '@gantry/contract/pipelines/definition'
import { useState } from 'react'
import { z } from 'zod'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { to, useGo } from '../../ui/link.tsx'
import { osNames } from '../../ui/os-names.ts'
import { Page } from '../../ui/page.tsx'
import { AgentFields } from './agent-fields.tsx'
import { StartLines } from './start-lines.tsx'

/** An empty team means all teams; an empty cluster means none. */
const typed = agents.create.body.extend({ teamId: z.number().int().optional(), environment: z.string().optional() })

/** Adds an agent, and shows once how to start it. */
export function AddAgentPage() {
  const go = useGo()
  const [made, setMade] = useState<Registration>()
  const create = useWrite(agents.create, { done: 'create-success', quiet: true })
  const back = to('sys-agents')
  const crumbs = [{ label: t('route-sys-agents'), to: back }]
  if (made)
    return (
      <Page
        narrow
        title={t('agents-ui-start', { name: made.name })}
        crumbs={crumbs}
        actions={
          <Button primary onClick={() => go(to('sys-agent', { agent_id: made.id, tab: 'jobs' }))}>
            {t('agents-ui-way-done')}
          </Button>
        }
      >
        <StartLines made={made} />
      </Page>
    )
  return (
    <Page narrow title={t('route-sys-agent-add')} about={t('agents-ui-add-about')} crumbs={crumbs}>
      <Form
        schema={typed}
        initial={{ capacity: 2, osType: 'linux', labels: [] }}
        submit={t('agents-ui-add')}
        onCancel={() => go(back)}
        onSubmit={async ({ teamId = null, environment = null, ...body }) =>
          setMade(await create.mutateAsync({ body: { ...body, teamId, environment } }))
        }
      >
        <Field name="name" label={t('agents-ui-name')} help={t('agents-ui-add-name-help')}>
          <Input autoFocus maxLength={63} />
        </Field>
        <Field name="osType" label={t('agents-ui-system')}>
          <Select options={OsType.options.map((value) => ({ value, label: osNames[value] }))} />
        </Field>
        <AgentFields />
      </Form>
    </Page>
  )
}
