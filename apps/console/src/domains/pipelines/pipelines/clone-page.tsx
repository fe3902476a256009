import { Form as Antd, Input, Select } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { groups } from '@gantry/contract/pipelines/groups'
import { pipelines, type Pipeline } from '@gantry/contract/pipelines/pipelines'
import { call } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useUser } from '../../../api/session.ts'
import { ChoiceCards } from '../../../ui/form/choice-cards.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { RemoteSelect } from '../../../ui/form/remote-select.tsx'
import { to, useGo, useTeamId } from '../../../ui/link.tsx'
import { Page, Section } from '../../../ui/page.tsx'
import { useUrlState } from '../../../ui/table/url-state.ts'
import { toPipeline } from './places.ts'

const id = definitions.create.body.shape.appId
const { projectName } = pipelines.clone.body.shape
const { name, suffix } = pipelines.cloneGroup.body.shape
const ofPipeline = z.object({ pipelineId: id, teamId: id, appId: id, projectName })
const ofGroup = z.object({ groupId: id, teamId: id, name, suffix: suffix.optional() })

export function ClonePage() {
  const [{ what, pipelineId }, setUrl] = useUrlState({ what: 'pipeline', pipelineId: '' })
  const source = useRead(pipelines.get, { params: { id: Number(pipelineId) } }, { enabled: pipelineId !== '' })
  const isGroup = what === 'group'
  return (
    <Page
      narrow
      title={t('route-cd-clone')}
      about={t('pipelines-ui-clone-about')}
      crumbs={[{ label: t('route-pipeline-v1-list'), to: to('pipeline-v1-list') }]}
    >
      <ChoiceCards
        label={t('pipelines-ui-clone-what')}
        choices={(['pipeline', 'group'] as const).map((value) => ({ value, title: t(`pipelines-ui-clone-${value}`) }))}
        value={isGroup ? 'group' : 'pipeline'}
        onChange={(next) => setUrl({ what: next })}
      />
      {isGroup ? (
        <CloneGroup {...(source.data ? { source: source.data } : {})} key={source.data?.appId} />
      ) : (
        <ClonePipeline {...(source.data ? { source: source.data } : {})} key={source.data?.id} />
      )}
    </Page>
  )
}

interface CloneProps {
  /** The pipeline from which the page was opened. */
  source?: Pipeline
}

function ClonePipeline({ source }: CloneProps) {
  const go = useGo()
  const own = useTeamId()
  const [team, setTeam] = useState(own)
  const clone = useWrite(pipelines.clone, { done: 'clone-success', quiet: true })
  return (
    <Form
      schema={ofPipeline}
      initial={{ teamId: own, ...(source ? initialOf(source) : {}) }}
      submit={t('pipelines-ui-clone')}
      needs={pipelines.clone}
      onCancel={() => go(to('pipeline-v1-list'))}
      onChange={(values) => setTeam(Number(values.teamId))}
      onSubmit={async ({ pipelineId, appId, projectName }) => {
        const made = await clone.mutateAsync({ params: { uuid: Number(pipelineId) }, body: { appId, projectName } })
        go(made.teamId === own ? toPipeline('cd-setting', made) : to('pipeline-v1-list', { team_id: made.teamId }))
      }}
    >
      <Section title={t('pipelines-ui-clone-what')}>
        <Field name="pipelineId" label={t('pipelines-ui-clone-pipeline-pick')}>
          <RemoteSelect
            endpoint={pipelines.list}
            input={{ params: { teamId: own } }}
            pageSize={10}
            option={(one) => ({ value: one.id, label: one.projectName })}
            {...(source ? { valueLabel: source.projectName } : {})}
          />
        </Field>
      </Section>
      <Section title={t('pipelines-ui-clone-where')}>
        <div>
          <TeamField field="appId" />
          <Field name="appId" label={t('pipelines-ui-group')}>
            <RemoteSelect
              key={team}
              endpoint={groups.list}
              input={{ params: { teamId: team } }}
              pageSize={10}
              option={(group) => ({ value: group.id, label: group.name })}
              {...(source ? { valueLabel: source.groupName } : {})}
            />
          </Field>
          <Field name="projectName" label={t('pipelines-ui-clone-name')} help={t('pipelines-ui-name-help')}>
            <Input maxLength={30} />
          </Field>
        </div>
      </Section>
    </Form>
  )
}

/** The start of the original's name, with a suffix that marks the clone. */
const initialOf = ({ id: pipelineId, appId, projectName: original }: Pipeline) => ({
  pipelineId,
  appId,
  projectName: [...`${original}-2`].length > 30 ? '' : `${original}-2`,
})

function CloneGroup({ source }: CloneProps) {
  const go = useGo()
  const own = useTeamId()
  const clone = useWrite(pipelines.cloneGroup, {
    done: 'clone-success',
    quiet: true,
  })
  return (
    <Form
      schema={ofGroup}
      initial={{ teamId: own, suffix: '-2', ...(source ? { groupId: source.appId } : {}) }}
      submit={t('pipelines-ui-clone')}
      needs={pipelines.cloneGroup}
      onCancel={() => go(to('pipeline-v1-list'))}
      onSubmit={async ({ groupId, teamId, name, suffix = '' }) => {
        const query = { groupId, pageSize: 1 }
        const [one] = (await call(pipelines.list, { params: { teamId: own }, query })).items
        if (!one) throw new Error(t('pipelines-ui-clone-group-empty'))
        const made = await clone.mutateAsync({ params: { uuid: one.id }, body: { name, teamId, suffix } })
        go(to('pipeline-v1-list', { team_id: made.teamId }, { groupId: made.id }))
      }}
    >
      <Section title={t('pipelines-ui-clone-what')}>
        <Field name="groupId" label={t('pipelines-ui-group')}>
          <RemoteSelect
            endpoint={groups.list}
            input={{ params: { teamId: own } }}
            pageSize={10}
            option={(group) => ({ value: group.id, label: group.name })}
            {...(source ? { valueLabel: source.groupName } : {})}
          />
        </Field>
      </Section>
      <Section title={t('pipelines-ui-clone-where')}>
        <div>
          <TeamField />
          <Field name="name" label={t('pipelines-ui-clone-name')} help={t('pipelines-ui-group-name-help')}>
            <Input maxLength={30} />
          </Field>
          <Field name="suffix" label={t('pipelines-ui-clone-suffix')} help={t('pipelines-ui-clone-suffix-help')}>
            <Input maxLength={20} />
          </Field>
        </div>
      </Section>
    </Form>
  )
}

/** The team of the clone. A change clears `field`, whose choice belongs to the previous team. */
function TeamField({ field }: { field?: string }) {
  const own = useTeamId()
  const { teams } = useUser()
  const form = Antd.useFormInstance()
  const chosen: number = Antd.useWatch('teamId', form) ?? own
  return (
    <>
      <Field name="teamId" label={t('pipelines-ui-clone-team')} filled>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          options={teams.map((team) => ({ value: team.id, label: team.name }))}
          onChange={() => field !== undefined && form.setFieldValue(field, undefined)}
        />
      </Field>
      {chosen !== own && <p className="g-note">{t('pipelines-ui-clone-secrets')}</p>}
    </>
  )
}
