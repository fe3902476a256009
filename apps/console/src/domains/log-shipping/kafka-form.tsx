import { kafka, KafkaSettings, saslMechanisms, type SavedKafkaSettings } from '@gantry/contract/log-shipping/kafka'
import { Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Facts, Loaded } from '../../ui/detail.tsx'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { Time } from '../../ui/time.tsx'

/** The Kafka for logs, and the progress of sending audit records. Reads and saves by itself. */
export function KafkaForm() {
  const query = useRead(kafka.get)
  return (
    <Loaded query={query}>
      {({ audit, ...stored }) => (
        <>
          <AuditState audit={audit} sends={stored.enabled && stored.auditTopic !== ''} />
          <Fields key={stored.revision} stored={stored} />
        </>
      )}
    </Loaded>
  )
}

function AuditState({ audit, sends }: { audit: SavedKafkaSettings['audit']; sends: boolean }) {
  const { waiting, since, sentAt, problem } = audit
  const state = problem !== '' ? 'failed' : waiting > 0 ? 'waiting' : 'completed'
  const words =
    waiting === 0 ? (
      t('logs-ui-audit-done')
    ) : (
      <>
        {t('logs-ui-audit-waiting', { count: waiting })} {since === null ? '–' : <Time at={since} />}
      </>
    )
  return (
    <Facts
      facts={[
        {
          label: t('logs-ui-audit-state'),
          value: sends ? (
            <span className="g-row">
              <StateBadge state={state} /> <span>{words}</span>
            </span>
          ) : (
            t('logs-ui-audit-off')
          ),
        },
        ...(sends ? [{ label: t('logs-ui-audit-sent'), value: sentAt === null ? '–' : <Time at={sentAt} /> }] : []),
        ...(problem === '' ? [] : [{ label: t('logs-ui-problem'), value: problem, wide: true }]),
      ]}
    />
  )
}

function Fields({ stored: { revision, ...stored } }: { stored: KafkaSettings & { revision: number } }) {
  const [{ tls, sasl }, setTyped] = useState({ tls: stored.tls, sasl: stored.sasl })
  const save = useWrite(kafka.set, { done: 'save-success', quiet: true })
  return (
    <Form
      schema={KafkaSettings}
      initial={stored}
      submit={t('ui-save')}
      onChange={(values) => setTyped((before) => ({ ...before, ...values }))}
      onSubmit={async (body) => {
        await save.mutateAsync({ named: '', body: { ...stored, ...body, revision } })
      }}
    >
      <Field name="enabled" label={t('logs-ui-enabled')} value="checked">
        <Switch />
      </Field>
      <Field name="brokers" label={t('logs-ui-brokers')} help={t('logs-ui-brokers-help')}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />
      </Field>
      <Field name="tls" label={t('logs-ui-tls')} value="checked">
        <Switch />
      </Field>
      {tls && (
        <>
          <Field name="ca" label={t('logs-ui-ca')} help={t('logs-ui-ca-help')}>
            <Input.TextArea className="g-mono" rows={4} spellCheck={false} maxLength={65_536} />
          </Field>
          <Field name="serverName" label={t('logs-ui-server-name')} help={t('logs-ui-server-name-help')}>
            <Input autoComplete="off" maxLength={253} />
          </Field>
        </>
      )}
      <Field name="sasl" label={t('logs-ui-sasl')}>
        <Select options={saslMechanisms.map((value) => ({ value, label: t(`logs-ui-sasl-${value}`) }))} />
      </Field>
      {sasl !== 'none' && (
        <div className="g-columns">
          <Field name="userName" label={t('logs-ui-user')}>
            <Input autoComplete="off" maxLength={200} />
          </Field>
          <Field name="password" label={t('logs-ui-password')} help={t('logs-ui-password-help')}>
            <Input.Password autoComplete="new-password" maxLength={500} />
          </Field>
        </div>
      )}
      <div className="g-columns">
        <Field name="logTopic" label={t('logs-ui-log-topic')}>
          <Input autoComplete="off" maxLength={249} />
        </Field>
        <Field name="auditTopic" label={t('logs-ui-audit-topic')} help={t('logs-ui-audit-topic-help')}>
          <Input autoComplete="off" maxLength={249} />
        </Field>
      </div>
    </Form>
  )
}
