import { Input } from 'antd'
import { t } from '../../../api/language.ts'
import { example } from '../../../ui/form/example.ts'
import { ImagePathInput, RegistrySelect } from '../../images/public.tsx'
import { TextsField } from '../editor/texts-field.tsx'
import { DestinationFields } from './destination-fields.tsx'
import { CodeField, StepField } from './step-field.tsx'
import type { FieldsProps, Of } from './step-parts.tsx'

/** The recipients of a mail, and its text. */
export function MailFields({ step, onChange }: FieldsProps<Of<'mail'>>) {
  const named = { output: '${outputs.step.KEY}', variable: '${variables.NAME}' }
  return (
    <>
      <TextsField
        name="to"
        label={t('pipelines-ui-mail-to')}
        help={t('pipelines-ui-mail-to-help')}
        texts={step.to}
        onChange={(to) => onChange({ ...step, to })}
      />
      <StepField name="subject" label={t('pipelines-ui-mail-subject')}>
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            value={step.subject}
            onChange={(event) => onChange({ ...step, subject: event.target.value })}
          />
        )}
      </StepField>
      <StepField name="text" label={t('pipelines-ui-mail-text')} help={t('pipelines-ui-mail-text-help', named)} wide>
        {(control) => (
          <Input.TextArea
            {...control}
            className="g-grow"
            rows={4}
            value={step.text}
            onChange={(event) => onChange({ ...step, text: event.target.value })}
          />
        )}
      </StepField>
    </>
  )
}

/** The image to copy, and the target. */
export function CopyFields({ step, onChange }: FieldsProps<Of<'copy'>>) {
  return (
    <>
      <StepField name="fromRegistryId" label={t('pipelines-ui-copy-registry')}>
        {(control) => (
          <RegistrySelect
            {...control}
            {...(step.fromRegistryId > 0 ? { value: step.fromRegistryId } : {})}
            onChange={(fromRegistryId) => onChange({ ...step, fromRegistryId: fromRegistryId ?? 0 })}
          />
        )}
      </StepField>
      <StepField
        name="from"
        label={t('pipelines-ui-copy-image')}
        help={t('pipelines-ui-copy-image-help', { output: 'path@${outputs.step.DIGEST}' })}
      >
        {(control) => (
          <ImagePathInput
            {...control}
            tagged
            registryId={step.fromRegistryId}
            value={step.from}
            onChange={(from) => onChange({ ...step, from })}
          />
        )}
      </StepField>
      <DestinationFields
        destination={step}
        label={t('pipelines-ui-copy-target')}
        help={t('pipelines-ui-copy-target-help')}
        onChange={(change) => onChange({ ...step, ...change })}
      />
      <CodeField
        name="tag"
        label={t('pipelines-ui-tag')}
        help={t('pipelines-ui-tag-help')}
        placeholder={example('${number}')}
        value={step.tag ?? '${number}'}
        onChange={(tag) => onChange({ ...step, tag })}
      />
    </>
  )
}
