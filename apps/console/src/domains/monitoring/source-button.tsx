import { example } from '../../ui/form/example.ts'
import type { Cluster } from '@gantry/contract/clusters/clusters'
import { monitoring, SourceInput, type Source } from '@gantry/contract/monitoring/metrics'
import { Input, Select } from 'antd'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog, useDialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { refreshMetrics } from './use-metrics.ts'

type NamedCluster = Pick<Cluster, 'uuid' | 'name'>

/** The source of a cluster's metrics, which administrators view and set. */
export function SourceButton({ cluster }: { cluster: NamedCluster }) {
  const dialog = useDialog()
  return (
    <>
      <Button icon="gear" onClick={() => dialog.show(true)}>
        {t('monitoring-ui-source')}
      </Button>
      {dialog.open && <SourceDialog cluster={cluster} onClose={dialog.hide} />}
    </>
  )
}

function SourceDialog({ cluster, onClose }: { cluster: NamedCluster; onClose: () => void }) {
  const query = useRead(monitoring.source, { params: { env: cluster.uuid } }, { keep: false })
  return (
    <Dialog title={t('monitoring-ui-source-of', { name: cluster.name })} onClose={onClose}>
      <Loaded query={query}>{(stored) => <SourceForm cluster={cluster} stored={stored} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

interface SourceFormProps {
  cluster: NamedCluster
  stored: Source
  onClose: () => void
}

function SourceForm({ cluster, stored: { revision, ...stored }, onClose }: SourceFormProps) {
  const [kind, setKind] = useState(stored.kind)
  const save = useWrite(monitoring.setSource, { done: 'save-success', quiet: true })
  return (
    <Form
      schema={SourceInput}
      initial={stored}
      submit={t(kind === 'prometheus' ? 'monitoring-ui-source-check' : 'ui-save')}
      onCancel={onClose}
      onChange={(values) => setKind(values.kind ?? kind)}
      onSubmit={async (body) => {
        const params = { env: cluster.uuid }
        await save.mutateAsync({ named: cluster.name, params, body: { ...body, revision } })
        await refreshMetrics()
        onClose()
      }}
    >
      <Field name="kind" label={t('monitoring-ui-source-kind')} help={t(`monitoring-ui-from-${kind}`)} filled>
        <Select
          options={(['sampled', 'prometheus'] as const).map((value) => ({
            value,
            label: t(`monitoring-ui-source-${value}`),
          }))}
        />
      </Field>
      {kind === 'prometheus' && (
        <>
          <Field name="url" label={t('monitoring-ui-source-url')} help={t('monitoring-ui-source-url-help')} filled>
            <Input placeholder={example('https://prometheus.example.com')} maxLength={2000} />
          </Field>
          <Field name="username" label={t('monitoring-ui-source-username')}>
            <Input autoComplete="off" maxLength={255} />
          </Field>
          <Field name="password" label={t('monitoring-ui-source-password')}>
            <Input.Password autoComplete="new-password" maxLength={500} />
          </Field>
          <Field name="token" label={t('monitoring-ui-source-token')} help={t('monitoring-ui-source-token-help')}>
            <Input.Password autoComplete="new-password" />
          </Field>
          <Field name="cluster" label={t('monitoring-ui-source-cluster')} help={t('monitoring-ui-source-cluster-help')}>
            <Input maxLength={253} />
          </Field>
        </>
      )}
    </Form>
  )
}
