import { Input } from 'antd'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { builds } from '@gantry/contract/pipelines/builds'
import type { BuildGate } from '@gantry/contract/pipelines/builds/gate'
import { reviews } from '@gantry/contract/pipelines/reviews'
import { CallError } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { wordsOf } from '../../../api/notices.ts'
import { Loaded } from '../../../ui/detail.tsx'
import { confirm, Dialog } from '../../../ui/feedback/dialog.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Field, Form } from '../../../ui/form/form.tsx'
import { ParameterInput } from '../definition/parameter-input.tsx'
import { matcherFor, type Matches, parameterValues } from '../definition/parameter-schema.ts'
import type { Deciding, Question } from './question.ts'

type DecideProps = Deciding & { onClose: () => void }
type StageQuestion = Extract<Question, { stage: string }>

function titleOf({ question, pass }: Deciding): string {
  if (!('stage' in question))
    return t(pass ? 'pipelines-ui-approve-build-title' : 'pipelines-ui-reject-build-title', {
      number: question.number,
    })
  const { kind, stage } = question
  if (!pass) return t('pipelines-ui-gate-reject-title', { stage })
  return t(kind === 'start' ? 'pipelines-ui-start-stage-title' : 'pipelines-ui-approve-stage-title', { stage })
}

/** Decides about a waiting build, with a reason and, for a stage, the values of its parameters. */
export function DecideDialog({ question, pass, onClose }: DecideProps) {
  return (
    <Dialog title={titleOf({ question, pass })} onClose={onClose}>
      {question.kind === 'review' && <Review question={question} pass={pass} onClose={onClose} />}
      {question.kind === 'fork' && <Fork question={question} onClose={onClose} />}
      {(question.kind === 'approval' || question.kind === 'start') &&
        (pass ? (
          <Stage question={question} onClose={onClose} />
        ) : (
          <StageForm question={question} pass={false} onClose={onClose} />
        ))}
    </Dialog>
  )
}

const Reason = () => (
  <Field name="reason" label={t('pipelines-ui-review-reason')}>
    <Input.TextArea rows={3} maxLength={1000} />
  </Field>
)

function Review({ question: { pipelineId, number }, pass, onClose }: DecideProps) {
  const decide = useWrite(reviews.decide, { done: 'pipelines-ui-review-done', quiet: true })
  return (
    <Form
      schema={reviews.decide.body.pick({ reason: true })}
      submit={t(pass ? 'pipelines-ui-approve' : 'pipelines-ui-reject')}
      onCancel={onClose}
      onSubmit={async ({ reason }) => {
        await decide.mutateAsync({ params: { id: pipelineId }, body: { number, pass, reason } })
        onClose()
      }}
    >
      <Reason />
    </Form>
  )
}

function Fork({ question: { pipelineId: id, number }, onClose }: Omit<DecideProps, 'pass'>) {
  const pass = useWrite(reviews.passFork, { done: 'pipelines-ui-fork-passed', quiet: true })
  return (
    <Form
      schema={z.object({})}
      submit={t('pipelines-ui-approve')}
      onCancel={onClose}
      onSubmit={async () => {
        await pass.mutateAsync({ params: { id, number } })
        onClose()
      }}
    >
      <p className="g-dialog-text">{t('pipelines-ui-fork-means')}</p>
    </Form>
  )
}

const nothing: Pick<BuildGate, 'fields' | 'deploys'> = { fields: [], deploys: [] }

interface StageProps {
  question: StageQuestion
  onClose: () => void
}

/** Other users have set other values meanwhile: the form restarts with these, and keeps the reason. */
interface Changed {
  times: number
  problem: string
  reason: string
}

/** The stage's fields are read when the dialog opens, because other pages have not read them. */
function Stage({ question, onClose }: StageProps) {
  const build = useRead(builds.get, { params: { id: question.pipelineId, number: question.number } })
  const [matches, setMatches] = useState<Matches>()
  const [changed, setChanged] = useState<Changed>()
  const gate = build.data?.stages.find(({ name }) => name === question.stage)?.gate ?? undefined
  // a stage that no longer waits has no fields; an answer from before it waited does not count
  const fields = gate?.fields ?? (build.isFetching ? undefined : nothing.fields)
  useEffect(() => {
    if (fields) void matcherFor(fields).then((found) => setMatches(() => found))
  }, [fields])
  const onChange = async (problem: string, reason: string) => {
    await build.refetch()
    setChanged((before) => ({ times: (before?.times ?? 0) + 1, problem, reason }))
  }
  return (
    <Loaded query={build}>
      {() =>
        matches ? (
          <StageForm
            key={changed?.times}
            question={question}
            pass
            gate={gate}
            matches={matches}
            changed={changed}
            onChange={onChange}
            onClose={onClose}
          />
        ) : (
          <Skeleton rows={2} />
        )
      }
    </Loaded>
  )
}

interface StageFormProps extends StageProps {
  pass: boolean
  gate?: Pick<BuildGate, 'fields' | 'deploys'> | undefined
  matches?: Matches
  changed?: Changed | undefined
  onChange?: (problem: string, reason: string) => Promise<void>
}

const isChange = (error: unknown) => error instanceof CallError && error.key === 'pipelines-gate-values-changed'

function StageForm(p: StageFormProps) {
  const { question, pass, gate = nothing, matches = () => true, changed, onChange, onClose } = p
  const { pipelineId: id, number, stage, kind } = question
  const decide = useWrite(builds.decide, { done: 'pipelines-ui-review-done', quiet: true })
  // values that others set meanwhile do not replace the input
  const [{ fields, deploys }] = useState(gate)
  const defaults = Object.fromEntries(fields.map(({ name, defaultValue }) => [name, defaultValue]))
  const submit = t(!pass ? 'pipelines-ui-reject' : kind === 'start' ? 'pipelines-ui-gate-pass' : 'pipelines-ui-approve')
  return (
    <Form
      schema={z.object({
        reason: builds.decide.body.shape.reason,
        parameters: parameterValues(fields, matches),
      })}
      initial={{ parameters: defaults, reason: changed?.reason ?? '' }}
      submit={submit}
      onCancel={onClose}
      onSubmit={async ({ reason, parameters }) => {
        const given = Object.fromEntries(fields.map(({ name }) => [name, parameters?.[name] ?? '']))
        let isRefused = false
        const run = async () => {
          try {
            await decide.mutateAsync({
              params: { id, number, stage },
              body: { pass, reason, ...(fields.length > 0 ? { parameters: given, expected: defaults } : {}) },
            })
          } catch (error) {
            if (!isChange(error) || !onChange) throw error
            isRefused = true
            await onChange(wordsOf(error), reason ?? '')
          }
        }
        if (deploys.length === 0) await run()
        else if (!(await askOnceMore(stage, deploys, submit, run))) return
        if (!isRefused) onClose()
      }}
    >
      {changed && (
        <p className="g-note g-note-warn" role="alert">
          {changed.problem}
        </p>
      )}
      {fields.length > 0 && <p className="g-quiet">{t('pipelines-ui-gate-values')}</p>}
      {fields.map(({ name, description, kind, values, required }) => (
        <Field
          key={name}
          filled
          name={['parameters', name]}
          label={<span className="g-mono">{name}</span>}
          help={description}
        >
          <ParameterInput kind={kind} values={values} clearable={!required} />
        </Field>
      ))}
      <Reason />
    </Form>
  )
}

/** Running services may be in use: changing them needs a second confirmation. */
const askOnceMore = (stage: string, deploys: BuildGate['deploys'], ok: string, run: () => Promise<unknown>) =>
  confirm({
    title: t('pipelines-ui-deploys-title', { stage }),
    text: (
      <>
        <p>{t('pipelines-ui-deploys-text')}</p>
        <ul>
          {deploys.map(({ stack, service }) => (
            <li key={`${stack} ${service}`}>{t('pipelines-ui-deploys-service', { service, stack })}</li>
          ))}
        </ul>
      </>
    ),
    ok,
    run,
  })
