import { Input } from 'antd'
import type { Pipeline } from '@gantry/contract/pipelines/pipelines'
import { running } from '@gantry/contract/pipelines/running'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { useDialog } from '../../../ui/feedback/dialog.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import type { Action } from '../../../ui/table/row-actions.tsx'
import { Time } from '../../../ui/time.tsx'

const needs = running.pause

/** The action that pauses or resumes a pipeline. `dialog` must be rendered on the page. */
export function usePausing(pipeline: Pipeline | undefined) {
  const asking = useDialog()
  const pause = useWrite(running.pause, { done: 'update-success' })
  const pausing: Action[] = pipeline
    ? [
        pipeline.paused
          ? {
              key: 'resume',
              label: t('pipelines-ui-resume'),
              icon: 'play',
              needs,
              onClick: () =>
                pause.mutate({ named: pipeline.projectName, params: { id: pipeline.id }, body: { paused: false } }),
            }
          : { key: 'pause', label: t('pipelines-ui-pause'), icon: 'pause', needs, onClick: () => asking.show(true) },
      ]
    : []
  return { pausing, dialog: asking.open && pipeline && <PauseDialog pipeline={pipeline} onClose={asking.hide} /> }
}

const schema = running.pause.body.pick({ reason: true })

function PauseDialog({ pipeline, onClose }: { pipeline: Pipeline; onClose: () => void }) {
  const pause = useWrite(running.pause, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={t('pipelines-ui-pause-title', { name: pipeline.projectName })}
      onClose={onClose}
      about={<p className="g-dialog-text">{t('pipelines-ui-pause-text')}</p>}
      schema={schema}
      submit={t('pipelines-ui-pause')}
      needs={needs}
      onSubmit={async ({ reason }) => {
        const params = { id: pipeline.id }
        await pause.mutateAsync({ named: pipeline.projectName, params, body: { paused: true, reason } })
      }}
    >
      <Field name="reason" label={t('pipelines-ui-pause-reason')} help={t('pipelines-ui-pause-reason-help')}>
        <Input autoFocus maxLength={200} />
      </Field>
    </FormDialog>
  )
}

/** Who paused a pipeline, when and why. */
export function PauseNote({ paused }: Pick<Pipeline, 'paused'>) {
  if (!paused) return null
  return (
    <p className="g-note g-note-warn" role="status">
      {t('pipelines-ui-paused', { name: paused.by })} · <Time at={paused.at} />
      {paused.reason !== '' && ` · ${paused.reason}`}
    </p>
  )
}
