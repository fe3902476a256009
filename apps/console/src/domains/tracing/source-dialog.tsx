import { type SourceKind, tracingSources, TracingSourceInput } from '@gantry/contract/tracing/sources'
import { Input } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { example } from '../../ui/form/example.ts'
import { Field, Form } from '../../ui/form/form.tsx'

export interface SourceProps {
  kind: SourceKind
  cluster: { uuid: string; name: string }
}

/** The address of a cluster's Jaeger or Kiali, tested before it is saved. */
export function SourceDialog({ kind, cluster, onClose }: SourceProps & { onClose: () => void }) {
  const params = { env: cluster.uuid, kind }
  const query = useRead(tracingSources.get, { params }, { keep: false })
  const save = useWrite(tracingSources.set, {
    done: 'save-success',
    quiet: true,
  })
  return (
    <Dialog title={t(`tracing-ui-source-${kind}-of`, { name: cluster.name })} onClose={onClose}>
      <Loaded query={query}>
        {({ version, revision, ...stored }) => (
          <Form
            schema={TracingSourceInput}
            initial={stored}
            submit={t('tracing-ui-source-check')}
            onCancel={onClose}
            onSubmit={async (body) => {
              await save.mutateAsync({ named: cluster.name, params, body: { ...body, revision } })
              onClose()
            }}
          >
            <Field
              name="url"
              label={t('tracing-ui-source-url')}
              help={version === '' ? t('tracing-ui-source-url-help') : t('tracing-ui-source-version', { version })}
            >
              <Input placeholder={example(`https://${kind}.example.com`)} maxLength={2000} />
            </Field>
            {kind === 'jaeger' && (
              <>
                <Field name="username" label={t('tracing-ui-source-username')}>
                  <Input autoComplete="off" maxLength={255} />
                </Field>
                <Field name="password" label={t('tracing-ui-source-password')}>
                  <Input.Password autoComplete="new-password" maxLength={500} />
                </Field>
              </>
            )}
            <Field name="token" label={t('tracing-ui-source-token')} help={t(`tracing-ui-source-token-${kind}`)}>
              <Input.Password autoComplete="new-password" />
            </Field>
            <Field name="cluster" label={t('tracing-ui-source-cluster')} help={t('tracing-ui-source-cluster-help')}>
              <Input maxLength={253} />
            </Field>
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}
