import { Input } from 'antd'
import { useState } from 'react'
import { blueprints, type Blueprint, type BlueprintRow } from '@gantry/contract/blueprints/blueprints'
import { checkTemplate } from '@gantry/tosca/compile'
import { platformVersion } from '@gantry/tosca/version'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { FileDrop } from '../../../ui/form/file-drop.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { useTeamId } from '../../../ui/link.tsx'
import { templateProblems } from '../template-problems.ts'

const Basics = () => (
  <>
    <Field name="version" label={t('blueprints-ui-version')} help={t('blueprints-ui-version-help')}>
      <Input autoFocus maxLength={60} spellCheck={false} autoComplete="off" />
    </Field>
    <Field name="description" label={t('blueprints-ui-description')}>
      <Input.TextArea rows={2} maxLength={1000} />
    </Field>
  </>
)

export function BasicsDialog({ blueprint, onClose }: { blueprint: BlueprintRow; onClose: () => void }) {
  const { teamId, uuid, version, description, revision } = blueprint
  const change = useWrite(blueprints.basic, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={t('blueprints-ui-basics-title', { version })}
      onClose={onClose}
      schema={blueprints.basic.body}
      initial={{ version, description }}
      submit={t('ui-save')}
      needs={blueprints.basic}
      onSubmit={(body) =>
        change.mutateAsync({ named: body.version, params: { teamId, uuid }, body: { ...body, revision } })
      }
    >
      <Basics />
    </FormDialog>
  )
}

export function CloneDialog({ blueprint, onClose }: { blueprint: BlueprintRow; onClose: () => void }) {
  const { teamId, uuid, version, description } = blueprint
  const clone = useWrite(blueprints.clone, { done: 'clone-success', quiet: true })
  return (
    <FormDialog
      title={t('blueprints-ui-clone-title', { version })}
      onClose={onClose}
      schema={blueprints.clone.body}
      initial={{ description }}
      submit={t('blueprints-ui-clone')}
      needs={blueprints.create}
      onSubmit={(body) => clone.mutateAsync({ params: { teamId, uuid }, body })}
    >
      <Basics />
    </FormDialog>
  )
}

/** The initial template of a new version. */
const beginning = `tosca_definitions_version: ${platformVersion}
topology_template:
  node_templates: {}
`

interface CreateProps {
  productId: number
  onClose: () => void
  onDone: (blueprint: Blueprint) => void
}

/** Creates an empty version. */
export function CreateDialog({ productId, onClose, onDone }: CreateProps) {
  return (
    <Dialog title={t('blueprints-ui-create')} onClose={onClose}>
      <CreateForm productId={productId} template={beginning} onClose={onClose} onDone={onDone} />
    </Dialog>
  )
}

function CreateForm({ productId, template, onClose, onDone }: CreateProps & { template: string }) {
  const params = { teamId: useTeamId() }
  const create = useWrite(blueprints.create, { done: 'create-success', quiet: true })
  return (
    <Form
      schema={blueprints.create.body.pick({ version: true, description: true })}
      submit={t('blueprints-ui-create')}
      needs={blueprints.create}
      onCancel={onClose}
      onSubmit={async (body) => {
        const made = await create.mutateAsync({
          named: body.version,
          params,
          body: { ...body, applicationId: productId, template },
        })
        onClose()
        onDone(made)
      }}
    >
      <Basics />
    </Form>
  )
}

/** Creates a version from a file. */
export function ImportDialog({ productId, onClose, onDone }: CreateProps) {
  const [file, setFile] = useState<{ name: string; text: string }>()
  const [problem, setProblem] = useState('')
  const take = async (chosen: File) => {
    setFile(undefined)
    if (!/\.ya?ml$/i.test(chosen.name) || chosen.size > 1_000_000) return setProblem(t('blueprints-ui-import-format'))
    const text = await chosen.text()
    const [first] = templateProblems(text)
    if (first) {
      const { line, column, text: reason } = first
      return setProblem(t('blueprints-template-wrong', { line, column, reason }))
    }
    const syntax = checkTemplate(text).problems[0]
    if (syntax) return setProblem(t('blueprints-ui-import-format'))
    setProblem('')
    return setFile({ name: chosen.name, text })
  }
  return (
    <Dialog title={t('blueprints-ui-import')} closes="asked" onClose={onClose}>
      <FileDrop
        accept=".yaml,.yml"
        label={file?.name ?? t('blueprints-ui-import-file')}
        memo={t('blueprints-ui-import-memo')}
        onFile={(chosen) => void take(chosen)}
      />
      <Problem text={problem} />
      {file && (
        <CreateForm key={file.text} productId={productId} template={file.text} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  )
}
