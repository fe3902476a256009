import { collection, LogSettings } from '@gantry/contract/log-shipping/collection'
import { Input, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { ClustersSelect } from '../clusters/public.tsx'
import { TeamsSelect } from '../teams/public.tsx'

/** Which logs of containers are collected, and how. Reads and saves by itself. */
export function CollectionForm() {
  const query = useRead(collection.get)
  return (
    <Loaded query={query}>
      {({ kafka, collectors: _, ...stored }) => (
        <>
          {!kafka && <p className="g-soft">{t('logs-ui-no-kafka')}</p>}
          <Fields key={stored.revision} stored={stored} />
        </>
      )}
    </Loaded>
  )
}

const streams = ['all', 'stderr'] as const
const joined = ['none', 'java', 'go', 'python'] as const

function Fields({ stored: { revision, ...stored } }: { stored: LogSettings & { revision: number } }) {
  const [{ allTeams }, setTyped] = useState({ allTeams: stored.allTeams })
  const save = useWrite(collection.set, { done: 'save-success', quiet: true })
  return (
    <Form
      schema={LogSettings}
      initial={stored}
      submit={t('ui-save')}
      onChange={(values) => setTyped((before) => ({ ...before, ...values }))}
      onSubmit={async (body) => {
        await save.mutateAsync({ named: '', body: { ...stored, ...body, revision } })
      }}
    >
      <Field filled name="environments" label={t('logs-ui-clusters')}>
        <ClustersSelect />
      </Field>
      <Field name="allTeams" label={t('logs-ui-all-teams')} value="checked">
        <Switch />
      </Field>
      {!allTeams && (
        <Field filled name="teamIds" label={t('logs-ui-teams')}>
          <TeamsSelect />
        </Field>
      )}
      <Field filled name="excluded" label={t('logs-ui-excluded')} help={t('logs-ui-excluded-help')}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />
      </Field>
      <div className="g-columns">
        <Field name="streams" label={t('logs-ui-streams')}>
          <Select options={streams.map((value) => ({ value, label: t(`logs-ui-streams-${value}`) }))} />
        </Field>
        <Field name="multiline" label={t('logs-ui-multiline')}>
          <Select options={joined.map((value) => ({ value, label: t(`logs-ui-multiline-${value}`) }))} />
        </Field>
      </div>
      <Field name="image" label={t('logs-ui-image')} help={t('logs-ui-image-help')}>
        <Input className="g-mono" autoComplete="off" spellCheck={false} maxLength={600} />
      </Field>
      <div className="g-columns">
        <Field name="linesPerSecond" label={t('logs-ui-lines')} help={t('logs-ui-lines-help')}>
          <InputNumber min={1} max={100_000} precision={0} />
        </Field>
        <Field name="memory" label={t('logs-ui-memory')}>
          <InputNumber min={32} max={4096} precision={0} />
        </Field>
      </div>
    </Form>
  )
}
