import { Input } from 'antd'
import { reviews, type Review } from '@gantry/contract/pipelines/reviews'
import { builds } from '@gantry/contract/pipelines/builds'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'

export interface Decision {
  review: Review
  pass: boolean
}

interface DecideProps extends Decision {
  pipelineId: number
  onClose: () => void
}

const schema = reviews.decide.body.pick({ reason: true })

/** Passes or rejects a trigger, with a reason. */
export function DecideDialog({ review: { number }, pass, pipelineId, onClose }: DecideProps) {
  const decide = useWrite(reviews.decide, {
    refreshes: [reviews.log, builds.get, builds.list],
    done: 'pipelines-ui-review-done',
    quiet: true,
  })
  return (
    <Dialog
      title={t(pass ? 'pipelines-ui-review-pass-title' : 'pipelines-ui-review-reject-title', { number })}
      onClose={onClose}
    >
      <Form
        schema={schema}
        submit={t(pass ? 'pipelines-ui-review-pass' : 'pipelines-ui-review-reject')}
        needs="pipeline_review_operate"
        onCancel={onClose}
        onSubmit={async ({ reason }) => {
          await decide.mutateAsync({ params: { id: pipelineId }, body: { number, pass, reason } })
          onClose()
        }}
      >
        <Field name="reason" label={t('pipelines-ui-review-reason')}>
          <Input.TextArea rows={3} maxLength={1000} autoFocus />
        </Field>
      </Form>
    </Dialog>
  )
}
