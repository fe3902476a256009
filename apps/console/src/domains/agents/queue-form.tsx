import { InputNumber } from 'antd'
import { queue } from '@gantry/contract/pipelines/queue'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Field, Form } from '../../ui/form/form.tsx'

/** How teams share the slots of agents. Reads and saves by itself. */
export function QueueForm() {
  const query = useRead(queue.get)
  const save = useWrite(queue.set, { done: 'save-success', quiet: true })
  return (
    <Loaded query={query}>
      {(stored) => (
        <Form
          schema={queue.set.body}
          initial={stored}
          submit={t('ui-save')}
          onSubmit={async (body) => void (await save.mutateAsync({ named: '', body }))}
        >
          <Field name="keptPlaces" label={t('agents-ui-kept-places')} help={t('agents-ui-kept-places-help')}>
            <InputNumber min={0} max={100} />
          </Field>
        </Form>
      )}
    </Loaded>
  )
}
