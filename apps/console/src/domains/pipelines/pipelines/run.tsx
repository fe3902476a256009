import { Input, Modal } from 'antd'
import { useState } from 'react'
import { z } from 'zod'
import { builds, type Build } from '@gantry/contract/pipelines/builds'
import type { Parameter } from '@gantry/contract/pipelines/definition'
import { pipelines, Repository } from '@gantry/contract/pipelines/pipelines'
import { call } from '../../../api/call.ts'
import { useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { Field, Form } from '../../../ui/form/form.tsx'
import { useGo } from '../../../ui/link.tsx'
import { toBuild, type Place } from './places.ts'

export interface Runnable extends Place {
  projectName: string
}

interface Asked {
  pipeline: Runnable
  parameters: readonly Parameter[]
  /** The pipeline's own, or that of the earlier build; empty without a repository, and where it is of a tag. */
  branch: string
  /** What the earlier build was of: the new one takes it again, unless another branch is entered. */
  of: { tag?: string; commit?: string }
}

interface RunOptions {
  /** Ask for branch and parameters, also where a build could start without. */
  ask?: boolean
  /** An earlier build, whose branch or tag, commit and parameters are taken again. */
  like?: Pick<Build, 'branch' | 'tag' | 'commit' | 'parameters'>
}

/** A key that makes one build per intention, however often it is sent. Works without a secure context too. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const sourceOf = ({ tag, commit }: Pick<Build, 'tag' | 'commit'>): Asked['of'] => ({
  ...(tag === '' ? {} : { tag }),
  ...(commit === '' ? {} : { commit }),
})

/** Starts builds and opens their page; a pipeline with parameters asks for them first. `dialog` belongs on the page. */
export function useRun() {
  const go = useGo()
  const [asked, setAsked] = useState<Asked>()
  const [busy, setBusy] = useState<number>()
  const trigger = useWrite(builds.trigger, { done: 'manual-trigger-success', quiet: true })

  const run = async (pipeline: Runnable, { ask = false, like }: RunOptions = {}) => {
    if (busy !== undefined) return
    setBusy(pipeline.id)
    try {
      const setting = await call(pipelines.setting, { params: { appId: pipeline.appId, pipelineId: pipeline.id } })
      const own = setting.repository?.branch ?? ''
      const of = own === '' || !like ? {} : sourceOf(like)
      const branch = own === '' || of.tag !== undefined ? '' : like?.branch || own
      if (ask || setting.parameters.length > 0) {
        const parameters = setting.parameters.map((parameter) => ({
          ...parameter,
          defaultValue: like?.parameters[parameter.name] ?? parameter.defaultValue,
        }))
        setAsked({ pipeline, parameters, branch, of })
        return
      }
      const { number } = await trigger.mutateAsync({
        params: { id: pipeline.id },
        body: { idempotencyKey: newKey(), ...(branch === own ? {} : { branch }), ...of },
      })
      go(toBuild(pipeline, number))
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(undefined)
    }
  }
  const dialog = asked && <RunDialog {...asked} onClose={() => setAsked(undefined)} />
  return { run, busy, dialog }
}

function RunDialog({ pipeline, parameters, branch, of, onClose }: Asked & { onClose: () => void }) {
  const go = useGo()
  const [idempotencyKey] = useState(newKey)
  const trigger = useWrite(builds.triggerWithParameters, { done: 'manual-trigger-success', quiet: true })
  const value = builds.triggerWithParameters.body.shape.parameters.valueType.optional()
  const schema = z.object({
    branch: Repository.shape.branch.optional(),
    parameters: z.object(Object.fromEntries(parameters.map(({ name }) => [name, value]))),
  })
  const initial = {
    branch,
    parameters: Object.fromEntries(parameters.map(({ name, defaultValue }) => [name, defaultValue])),
  }
  return (
    <Modal open title={t('pipelines-ui-run-title', { name: pipeline.projectName })} footer={null} onCancel={onClose}>
      <Form
        schema={schema}
        initial={initial}
        submit={t('pipelines-ui-run')}
        needs="pipeline_build_execute"
        onCancel={onClose}
        onSubmit={async (values) => {
          // A field that was emptied means the empty value, not the default.
          const given = parameters.map(({ name }): [string, string] => [name, values.parameters?.[name] ?? ''])
          const { number } = await trigger.mutateAsync({
            params: { id: pipeline.id },
            body: {
              parameters: Object.fromEntries(given),
              idempotencyKey,
              ...(values.branch ? { branch: values.branch } : {}),
              ...((values.branch ?? '') === branch ? of : {}),
            },
          })
          onClose()
          go(toBuild(pipeline, number))
        }}
      >
        {branch !== '' && (
          <Field filled name="branch" label={t('pipelines-ui-branch')} help={t('pipelines-ui-run-branch-help')}>
            <Input spellCheck={false} />
          </Field>
        )}
        {parameters.map(({ name, description }) => (
          <Field
            key={name}
            filled
            name={['parameters', name]}
            label={<span className="g-mono">{name}</span>}
            help={description}
          >
            <Input spellCheck={false} maxLength={4096} />
          </Field>
        ))}
      </Form>
    </Modal>
  )
}
