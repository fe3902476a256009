import { builds } from '@gantry/contract/pipelines/builds'
import { Input } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import type { Parameter } from '@gantry/contract/pipelines/parameters'
import { Repository } from '@gantry/contract/pipelines/pipelines'
import { t } from '../../../api/language.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { ParameterInput } from '../definition/parameter-input.tsx'
import { type Matches, parameterValues } from '../definition/parameter-schema.ts'
import { newKey, type Runnable } from './places.ts'
import { type Start, useStartBuild } from './start-build.ts'

export interface RunInput extends Pick<Start, 'of' | 'image' | 'draft'> {
  pipeline: Runnable
  parameters: readonly Parameter[]
  matches: Matches
  /** The pipeline's branch, or that of the earlier build; empty without a repository, and for a build of a tag. */
  branch: string
  onStarted: (number: number) => void
}

/** Asks for the branch and the parameters of a build, and triggers it. */
export function RunDialog({ onClose, ...input }: RunInput & { onClose: () => void }) {
  const { pipeline, parameters, branch, of, image, matches, draft, onStarted } = input
  const [idempotencyKey] = useState(newKey)
  const start = useStartBuild()
  const schema = z.object({
    branch: Repository.shape.branch.optional(),
    parameters: parameterValues(parameters, matches),
  })
  const initial = {
    branch,
    parameters: Object.fromEntries(parameters.map(({ name, defaultValue }) => [name, defaultValue])),
  }
  return (
    <FormDialog
      title={t('pipelines-ui-run-title', { name: pipeline.projectName })}
      onClose={onClose}
      schema={schema}
      initial={initial}
      submit={t('pipelines-ui-run')}
      needs={builds.trigger}
      onSubmit={async (values) => {
        // An emptied field means the empty value, not the default.
        const given = parameters.map(({ name }): [string, string] => [name, values.parameters?.[name] ?? ''])
        const number = await start(pipeline, {
          idempotencyKey,
          parameters: Object.fromEntries(given),
          ...(values.branch ? { branch: values.branch } : {}),
          of: (values.branch ?? '') === branch ? of : {},
          image,
          draft,
        })
        onStarted(number)
      }}
    >
      {branch !== '' && (
        <Field filled name="branch" label={t('pipelines-ui-branch')} help={t('pipelines-ui-run-branch-help')}>
          <Input spellCheck={false} />
        </Field>
      )}
      {parameters.map(({ name, description, kind, values, required, defaultValue }) => (
        <Field
          key={name}
          filled
          name={['parameters', name]}
          label={<span className="g-mono">{name}</span>}
          help={
            kind === 'secret' && defaultValue !== ''
              ? `${description} ${t('pipelines-ui-parameter-secret-default')}`.trim()
              : description
          }
        >
          <ParameterInput kind={kind} values={values} clearable={!required} />
        </Field>
      ))}
    </FormDialog>
  )
}
